"""What no run of this program can show, printed in every report and film."""

LIMITATIONS = (
    "Each body part is rigid. Bones do not bend or break, the chest does not give, organs do not move: no chest "
    "deflection, tissue strain or fracture follows from this run.",
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
    "Motion late in a run, after many contacts, depends strongly on small changes of the start. The step check "
    "shows how far that matters here.",
    "Mannequin's engine is tested against closed-form solutions and conservation laws; that is not a validation "
    "of this scenario against an experiment, and the program as a whole has not been peer reviewed.",
)
