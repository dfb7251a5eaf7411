"""What living people do in a fall: their loss of balance is noticed, and joints are driven to a protective posture.

Compiled only for scenarios that have a response (see `jit.late`), called every few steps. It writes commands of the
joints' motors and nothing else; what a person authors is `spec.response`.
"""
