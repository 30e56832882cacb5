"""What runs in the page: the player and the handles, with their JavaScript, and how modules are joined for a page.

Imports no other room.
"""
