package dev.flowstone.templates.body;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A tag whose end hasn't been read yet. */
final class Open {
    private final Piece.Tag tag;
    private final Part.Expression first;
    private final Optional<String> loopName;
    private final List<Part.Branch> branches = new ArrayList<>();
    private Part.Expression condition;
    private List<Part> parts = new ArrayList<>();
    private boolean inElse;

    Open(Piece.Tag tag, Part.Expression first, Optional<String> loopName) {
        this.tag = tag;
        this.first = first;
        this.condition = first;
        this.loopName = loopName;
    }

    Piece.Tag tag() {
        return tag;
    }

    /** Of a loop: how each item is called, until its {@code else}. */
    Optional<String> name() {
        return inElse ? Optional.empty() : loopName;
    }

    void add(Part part) {
        parts.add(part);
    }

    boolean takesElse() {
        return !inElse;
    }

    boolean takesElsif() {
        return !inElse && loopName.isEmpty();
    }

    void elsif(Part.Expression next) {
        closeBranch();
        condition = next;
    }

    void otherwise() {
        closeBranch();
        inElse = true;
    }

    private void closeBranch() {
        branches.add(new Part.Branch(condition, parts));
        parts = new ArrayList<>();
    }

    Part close() {
        List<Part> otherwise = List.of();
        if (inElse) {
            otherwise = parts;
        } else {
            closeBranch();
        }
        return loopName.isPresent()
                ? new Part.Loop(loopName.get(), first, branches.getFirst().parts(), otherwise)
                : new Part.Choice(branches, otherwise);
    }
}
