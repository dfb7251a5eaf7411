"""Connections between points of bodies: spring-dampers and ropes, belts over slip rings, welds that break."""

from .arrays import Connections, ConnectionState
from .compile import compile_connections
from .forces import commit_connections, connection_forces
from .power import connection_power
from .report import ConnectionRecord, connection_records
from .stability import ease_dampers
from .state import new_connection_state

__all__ = [
    "ConnectionRecord",
    "ConnectionState",
    "Connections",
    "commit_connections",
    "compile_connections",
    "connection_forces",
    "connection_power",
    "connection_records",
    "ease_dampers",
    "new_connection_state",
]
