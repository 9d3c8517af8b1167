"""A preparation that somebody changed in a way that running jobs cannot follow."""

from __future__ import annotations

from temporalio import workflow

with workflow.unsafe.imports_passed_through():
    from jobctrl.workflows.preparation import JobPreparationWorkflow, PreparationInput, PreparationResult


@workflow.defn(name="JobPreparationWorkflow")
class HastyPreparation(JobPreparationWorkflow):
    """It waits before it does anything, which no kept history did."""

    @workflow.run
    async def run(self, input: PreparationInput) -> PreparationResult:
        await workflow.sleep(1)
        return await super().run(input)
