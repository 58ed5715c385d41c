package dev.flowstone.kernel.program;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.id.EdgeId;
import dev.flowstone.kernel.id.NodeId;
import java.util.Optional;

/**
 * Why a program can't run.
 *
 * @param node the node at fault, or where the edge at fault begins
 * @param origin where in the source to look
 * @param message one sentence for the workflow's author
 */
public record ProgramFault(Code code, Optional<NodeId> node, Optional<EdgeId> edge, Origin origin, String message) {
    public ProgramFault {
        requireNonNull(code);
        requireNonNull(node);
        requireNonNull(edge);
        requireNonNull(origin);
        requireNonNull(message);
    }

    static ProgramFault of(Code code, Node node, String message) {
        return new ProgramFault(code, Optional.of(node.id()), Optional.empty(), node.origin(), message);
    }

    static ProgramFault of(Code code, Edge edge, String message) {
        return new ProgramFault(code, Optional.of(edge.from()), Optional.of(edge.id()), edge.origin(), message);
    }

    /** The kinds of faults; stable. */
    public enum Code {
        /** A scope's parents lead in a circle. */
        SCOPE_CIRCLE,
        /** A settling scope holds another scope; that takes a Fork. */
        SCOPE_IN_SETTLING_SCOPE,
        /** A scope's entry lies outside of it. */
        ENTRY_OUTSIDE_SCOPE,
        /** The root's entry is no Start, or a Start is not the root's entry. */
        MISPLACED_START,
        /** A settling scope in a flow scope has no way out. */
        MISSING_CONTINUATION,
        /** A way out where there can be none, or one that breaks the rules of a continuation. */
        INVALID_CONTINUATION,
        /** An edge leads into a scope past its entry. */
        JUMP_INTO_SCOPE,
        /** An edge leaves an End. */
        EDGE_FROM_END,
        /** An edge leads to a Start. */
        EDGE_TO_START,
        /** An edge waits for an outcome that its node never has. */
        UNKNOWN_OUTCOME,
        /** An else edge has a condition. */
        CONDITION_ON_ELSE,
        /** An edge has a condition and a policy. */
        TWO_CONDITIONS,
        /** A node of a flow scope takes all edges whose condition holds. */
        ALL_IN_FLOW_SCOPE,
        /** A fork names no join of its own scope. */
        FORK_WITHOUT_JOIN,
        /** A join is named by no fork, or by several; or it is where a scope begins. */
        JOIN_WITHOUT_FORK,
        /** A fork's branch is no scope right inside the fork's, or is opened by another fork too. */
        INVALID_BRANCH,
        /** An edge leads to a join from outside its fork's branches. */
        FOREIGN_ARRIVAL,
        /** A scope that is no branch lets failures arrive at a join. */
        INVALID_FAILURE_POLICY,
        /** A human task declares outcomes that can't be, or refers to one that it doesn't declare. */
        INVALID_OUTCOMES,
        /** A human task asks nobody. */
        NO_ASSIGNEE,
        /** A reminder's name is malformed, reserved or taken. */
        INVALID_REMINDER,
        /** A task uses decisions of a node that is no human task. */
        INVALID_GATE,
        /** What a call says of its child means nothing for that operation. */
        INVALID_CHILD_POLICY,
        /** A fork lets more branches live at once than any may. */
        INVALID_WINDOW,
        /** A variable's name is malformed. */
        INVALID_VARIABLE,
        /** A timer that is never due, or whose due time can't be read. */
        INVALID_TIMER,
        /** A settling scope has a cycle. */
        CYCLE,
        /** No path from the entry leads to a node. */
        UNREACHABLE
    }
}
