package dev.flowstone.testkit.history;

/** What an operation is about, and nothing else is: a run, or an open question of one. */
public record Target(String name) {
    @Override
    public String toString() {
        return name;
    }
}
