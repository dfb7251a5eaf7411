"""What readers and writers of other programs' files share: axes, trees of bodies, XML, findings.

Nothing here knows a program.
"""
