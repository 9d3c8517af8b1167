"""The only door to the web: live, recorded and recording, behind one guard."""
