"""The Explorer and the papers' views, and the base that they share. Imports all other rooms."""
