"""Is a score worth its number? Scores held against what came of the applications that were made with them."""

from jobctrl.analytics.calibration.agreement import agreement, correction_bias, corrections
from jobctrl.analytics.calibration.forecasts import backtest, brier
from jobctrl.analytics.calibration.map import score_map
from jobctrl.analytics.calibration.rates import Enough, calibration, enough
from jobctrl.analytics.calibration.selection import Selection, applied_share, explorations, propensities, selection
from jobctrl.analytics.calibration.stability import score_changes, stability

__all__ = [
    "Enough",
    "Selection",
    "agreement",
    "applied_share",
    "backtest",
    "brier",
    "calibration",
    "correction_bias",
    "corrections",
    "enough",
    "explorations",
    "propensities",
    "score_changes",
    "score_map",
    "selection",
    "stability",
]
