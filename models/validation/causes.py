"""Why rows miss, as far as it was examined: what was changed or computed to find out, in a sentence each.

What begins with "Reasoned" follows from how model and test are made; it was not tried by changing the model.
"""

from .row import Row

CAUSES: tuple[tuple[str, str, str], ...] = (
    (
        "Head-first drop 3.2 m/s, female",
        "",
        "The woman's element is the man's, scaled down; the same 16 kg drive it 52 mm, into the range near its "
        "end where its force doubles.",
    ),
    (
        "Heads of 1 and 16 years",
        "",
        "Heads are scaled by mass and size with one stiffness of bone for all ages, by which the peak "
        "falls and the duration rises with size; infants' skulls, which are far softer, are not "
        "modelled, and the side of a made person's head lands on the softer ellipsoid of the face.",
    ),
    (
        "Skull pressed slowly",
        "",
        "The head's curve is that of a drop at 2.7 m/s at every speed; specimens were five times softer "
        "slowly than fast, which a factor over speed would give.",
    ),
    (
        "Frontal bone",
        "",
        "One curve from a blow on a whole head, 1.2 mm deep at this force by arithmetic; specimens were "
        "pressed slowly and locally until the bone gave way, which the model's does not.",
    ),
    (
        "Chest pressed slowly",
        "",
        "Lobdell's spring (26 N/mm) in series with the flesh (281 N/mm) is 24 N/mm by arithmetic; it "
        "stands for blows, and slow chests of cadavers are three times softer: the model has no such "
        "rate effect.",
    ),
    (
        "Passive neck",
        "way",
        "Reasoned: to the side the neck has the resistance of flexion, which is assumed; in extension the trend holds.",
    ),
    (
        "Arrest from 1 m, stiff",
        "",
        "Reasoned: nearly straight arms at the stops of their elbows carry the trunk like struts onto a rigid "
        "floor; those who fell gave way at elbow and shoulder and landed on pads.",
    ),
    (
        "Cart",
        "",
        "Reasoned: the bar stops the struck part of a leg that stands free through 20 mm of flesh: its force is "
        "the sum of what bends the bone and of the inertia of what it strikes; the moment in the bone at "
        "failure is the strength set, from another source.",
    ),
    (
        "Legform certification",
        "bending",
        "Reasoned: the knee has the static curve of certification without the rate effect of its steel bars, which "
        "carry more at 7.5 m/s.",
    ),
    (
        "hybrid3",
        "angular acceleration",
        "Examined: the upper back lands 3 ms before the head and both are stopped together, so that the "
        "head is hardly turned (from 5 degrees the head lands first, and is).",
    ),
    (
        "male, response",
        "head speed",
        "Reasoned: the head is laid down by arms and trunk; such touches are not seen in videos.",
    ),
    (
        "female, response",
        "head speed",
        "Reasoned: the head is laid down by arms and trunk; such touches are not seen in videos.",
    ),
    (
        "male, response",
        "pelvis speed",
        "Reasoned: knees and hands land first and the pelvis is lowered.",
    ),
    (
        "female, response",
        "pelvis speed",
        "Reasoned: knees and hands land first and the pelvis is lowered.",
    ),
    (
        "male, response",
        "hand before",
        "Reasoned: hands are out early and wait for the pelvis, which bent legs lower slowly.",
    ),
    (
        "female, response",
        "hand before",
        "Reasoned: hands are out early and wait for the pelvis, which bent legs lower slowly.",
    ),
    (
        "200 random older adults, any touch",
        "head strikes",
        "Every touch counts here, slow and late ones too; of those faster than 1 m/s the share is that "
        "of the videos.",
    ),
    (
        "200 random older adults",
        "mean of head speed",
        "A third of the touches are heads that are laid down below 1 m/s; a video shows only the others.",
    ),
    (
        "44 random young adults",
        "mean of hand before",
        "Examined: those who fall straight to the side or somewhat backward land on a hand 69 to 91 ms "
        "before the pelvis, inside; those who fall 10 to 20 degrees forward turn onto both hands, 98 to "
        "600 ms before.",
    ),
    (
        "",
        "speed on leaving",
        "He slides off the front downward or nearly level and tumbles: the bounds are of launches that "
        "slide and are thrown upward; with the angle Searle's formula has what stands above.",
    ),
    (
        "",
        "largest speed, throw",
        "Reasoned: on the front people are carried at up to the speed of a vehicle that brakes, which the formula "
        "counts as slid, and one who tumbles is slowed by less than friction.",
    ),
    (
        "suv 80",
        "vehicle's speed",
        "Reasoned: struck high, he leaves as fast as the vehicle and nearly level, at the upper end of what the "
        "regressions were made for.",
    ),
    (
        "van 80",
        "vehicle's speed",
        "Reasoned: struck high, he leaves as fast as the vehicle and nearly level, at the upper end of what the "
        "regressions were made for.",
    ),
    (
        "Belted driver",
        "neck",
        "Reasoned: the dummy's neck has resistance curves in place of the paper's stops: it is bent less far, and "
        "stopped all the same.",
    ),
    (
        "Volunteer",
        "",
        "Reasoned: the sled's pulse is not known: the shipped one was scaled to the speed. The neck's tone is that "
        "of somebody who holds the head with all strength.",
    ),
    (
        "Tackle 75 kg",
        "head acceleration",
        "Reasoned: 1.2 g is not possible for a head that falls from 1.5 m on hard ground (dummies: 146 g and "
        "more); the paper's ground is soft or its scale another.",
    ),
    (
        "24 random tackles",
        "",
        "Examined on eight of them: carriers' heads have 11 to 26 g until they meet the ground and 160 "
        "to 510 g there, tacklers' 19 to 143 g on the other's trunk. Players here neither hold the head "
        "up nor break the fall, and the ground is rigid; in play, few heads strike the ground.",
    ),
)
"""Beginning of the check, beginning of the quantity, cause. The first that fits counts. Falls of passive people state
theirs in `falls`."""
NOT_EXAMINED = "Cause not examined."
STATED = "probably because"
"""In remarks that give a cause already."""


def cause_of(row: Row) -> str:
    """The cause of a miss; nothing where the row states one."""
    if STATED in row.remark:
        return ""
    for check, quantity, cause in CAUSES:
        if row.check.startswith(check) and row.quantity.startswith(quantity):
            return cause
    return NOT_EXAMINED
