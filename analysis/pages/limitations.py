"""What no run of this program can show, printed in every report and film."""

LIMITATIONS = (
    "Body parts are rigid, but for what the model lets give: surfaces by their force curves, and, where it has them, a "
    "chest, an abdomen and shoulders that yield and bones that break. Organs do not move, and no strain of tissue "
    "follows from this run.",
    "The bodies are passive unless a motor, a muscle tone or a prescribed motion is listed among the parameters: "
    "nobody in this run reacts, braces or protects himself beyond that.",
    "Contact forces follow from the force curves of the model. They describe a kind of tissue or surface, not "
    "this person or this place; peak forces and accelerations depend on them directly.",
    "Masses, lengths and joint ranges are those of the model, scaled if so stated, not measurements of a person "
    "unless a source says so.",
    "Injury criteria were set up for crash-test dummies and their limits. They rank impacts; they do not diagnose "
    "a person.",
    "The result shows what follows from the inputs given. It does not show that the inputs were so. Inputs listed "
    "as assumed should be varied before conclusions are drawn.",
    "Differences of the start grow with every contact. What is not known of it (posture, speed, friction) may change "
    "the motion late in a run altogether; the step check shows the numerical part of this only.",
    "A value marked (!) lies beyond its range of trust: beyond the data of a force curve, a published tolerance or the "
    "data of a risk curve. Its notes say which.",
    "Mannequin's engine is tested against closed-form solutions and conservation laws; that is not a validation "
    "of this scenario against an experiment, and the program as a whole has not been peer reviewed.",
)
