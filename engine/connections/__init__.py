"""Connections between points of bodies: spring-dampers and ropes, belts over slip rings, welds that break.

What acts inside a joint is in `joints`.
"""
