"""What paid calls cost: prices, the ledger, reservations and ceilings."""
