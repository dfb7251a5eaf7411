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
        "Examined: with one bone for all ages the peak fell by 14 % and the duration rose by 17 %; with the bone "
        "of each age both change as published, and the peak by more than it. The side of a made person's head "
        "lands on the softer ellipsoid of the face.",
    ),
    (
        "Chest pressed slowly",
        "",
        "Lobdell's spring (26 N/mm) in series with the flesh (281 N/mm) is 24 N/mm by arithmetic; it stands for "
        "blows, and slow chests of cadavers are three times softer. What of his model is left out here carries "
        "nothing at rest (a Maxwell element of 13 N/mm that relaxes in 14 ms, more damping outward), so that it "
        "would be as stiff.",
    ),
    (
        "Arrest from 1 m, stiff",
        "",
        "Examined: palms three times as deep give 3.6 body weights, shoulders that slide on springs of 5 to 20 "
        "kN/m 3.1 to 3.2, and the tone of the elbows changes nothing: nearly straight arms carry the trunk like "
        "struts onto a rigid floor. Those who fell landed on pads. A stiffness of palm or shoulder girdle that "
        "could be read was not found.",
    ),
    (
        "Cart",
        "",
        "Examined: the bone fails at the strength set (294 N m), and the bar's force is mostly what sets the leg "
        "in motion: 7.7 kN with 0.7 of the shank's mass, 6.3 kN with flesh twice as deep, 6.9 kN with a bone four "
        "times as stiff, 8.4 kN without friction. All flesh is rigid with its bone here; in a leg it lags behind.",
    ),
    (
        "Legform certification",
        "bending",
        "Examined: with all moments 1.2 and 1.4 times as large 8.2 and 7.2 degrees, with the same 100 J in another"
        " shape (400 N m from 1.5 degrees on, as steel that yields) 8.1. The static curve's shape is assumed and "
        "the rate effect of its steel is left out; this test does not show which of both it is.",
    ),
    (
        "Certification, hybrid3_3",
        "extension moment",
        "By arithmetic: to turn by 83 to 93 degrees against a moment that grows to 44 to 53 N m with the power "
        "1.78 of the angle takes 23 to 31 J, and head and neck bring 18 and 5 J at 3.65 m/s; the moment is quoted,"
        " not read.",
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
        "Volunteer",
        "",
        "Reasoned: the sled's pulse is not known: the shipped one was scaled to the speed. The neck's tone is that "
        "of somebody who holds the head with all strength.",
    ),
    (
        "Tackle 75 kg",
        "head acceleration",
        "Examined: it meets the ground at 3.3 m/s, which 1.2 g stop within 0.47 m. A head and ground 10, 100 and 1000 "
        "times softer together give 100, 43 and 28 g, a neck that is held 500 g, and the other player's blow 17 g by "
        "itself, before the head is down. Only runs in which it never strikes have less (all flesh 100 times softer, "
        "11 g). So no stiffness that was tried gives 1.2 g, and the printed number is of another scale or "
        "another moment; dummies that fall have 146 g and more.",
    ),
    (
        "Tackle 75 kg",
        "shoulders",
        "Examined: the loose neck lets the head lag. Held with up to 150 N m the head comes 22 ms after the "
        "shoulders, with the back held too 14 ms, with a torso-neck joint as damped as the head's 27 ms; arms that "
        "pass through the ground or players 1 m/s slower keep the head up, and softer flesh changes the "
        "order by 3 ms. The paper's joints resist at first by a torque that it does not print.",
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
