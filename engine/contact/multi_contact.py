"""The multi-contact modes, and OpenMBD's scaling of several contacts of one body, which is not physical in general.

The default, contacts on one patch that share one force, is in `patches`. Source of OpenMBD's: docs/derivations.md,
Several contacts of one body.
"""

from ..jit.decorators import compiled

NONE, CONTINUOUS, DISCRETE, PATCHES = 0, 1, 2, 3
"""Mode numbers, in the order of `spec.MULTI_CONTACT_MODES`."""


@compiled
def contact_scales(mode, count, body_a, body_b, elastic_force, scale, body_sum, body_largest):
    """Write the factor on each contact's whole force into `scale`.

    body_a, body_b (count,): body numbers; -1 is an obstacle or the ground. elastic_force (count,): N. body_sum,
    body_largest: work arrays with one element per body. Groups are formed per body over its contacts with other bodies;
    contacts with obstacles keep the factor 1 and take no part, as in OpenMBD. continuous: largest / sum of the group;
    discrete: 1 for the largest of the group, else 0. Of the factors of the two bodies the smaller holds. One factor
    per contact, used for both bodies: Newton's third law is exact.
    """
    for i in range(count):
        scale[i] = 1.0
    if mode == NONE:
        return
    for i in range(count):
        if body_a[i] >= 0 and body_b[i] >= 0:
            for body in (body_a[i], body_b[i]):
                body_sum[body] = 0.0
                body_largest[body] = 0.0
    for i in range(count):
        if body_a[i] >= 0 and body_b[i] >= 0:
            for body in (body_a[i], body_b[i]):
                body_sum[body] += elastic_force[i]
                body_largest[body] = max(body_largest[body], elastic_force[i])
    for i in range(count):
        if body_a[i] >= 0 and body_b[i] >= 0:
            for body in (body_a[i], body_b[i]):
                if body_sum[body] <= 0.0:
                    continue
                if mode == CONTINUOUS:
                    scale[i] = min(scale[i], body_largest[body] / body_sum[body])
                elif elastic_force[i] < body_largest[body]:
                    scale[i] = 0.0
