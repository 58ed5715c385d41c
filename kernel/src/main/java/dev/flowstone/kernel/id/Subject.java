package dev.flowstone.kernel.id;

/**
 * What a run is about: a document, a participant, by kind and id. Unique in its tenant; both names have 1 to
 * {@value Names#MAX_LENGTH} characters, no control characters.
 */
public record Subject(String kind, String id) implements Comparable<Subject> {
    public Subject {
        Names.check("subject's kind", kind);
        Names.check("subject's id", id);
    }

    @Override
    public int compareTo(Subject other) {
        int byKind = kind.compareTo(other.kind);
        return byKind != 0 ? byKind : id.compareTo(other.id);
    }

    @Override
    public String toString() {
        return kind + "/" + id;
    }
}
