"""Who vouches for a run, and since when: Ed25519 signatures, RFC 3161 time stamps, both checked offline.

Needs `cryptography`, which the extension zip carries and a Python installation may lack: `library.py` says so.
"""
