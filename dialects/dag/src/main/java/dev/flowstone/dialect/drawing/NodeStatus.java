package dev.flowstone.dialect.drawing;

/** How far a run has come with a node; a node without one hasn't been reached. */
public enum NodeStatus {
    SUCCEEDED("succeeded"),
    FAILED("failed"),
    SKIPPED("skipped"),
    CANCELED("canceled"),
    RUNNING("running"),
    WAITING("waiting");

    private final String word;

    NodeStatus(String word) {
        this.word = word;
    }

    String word() {
        return word;
    }
}
