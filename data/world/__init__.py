"""The invented world: its words (TOML), how they become postings, and how each vendor would send them."""
