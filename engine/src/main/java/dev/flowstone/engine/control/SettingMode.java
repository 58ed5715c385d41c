package dev.flowstone.engine.control;

/** What a scope's setting says. */
public enum SettingMode {
    /** Its runs go on, whatever is set for a wider scope. */
    GO,
    /** Live work may finish, nothing outside is newly started. */
    DRAIN,
    /** Nothing is decided or dispatched. */
    SUSPEND,
    /** The scope has no setting of its own any more. */
    CLEAR;

    /** Whether runs are held by it. */
    public boolean holds() {
        return this == DRAIN || this == SUSPEND;
    }
}
