package dev.flowstone.server.deploy;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.json.JsonObject;
import java.util.Optional;

/**
 * What becomes of one thing.
 *
 * @param why in a sentence without its full stop; empty if there is nothing to say
 * @param piece what the folder says; empty if the folder doesn't have it any more
 * @param there what the server has; empty if it has none
 */
public record Step(
        Change change, Piece.Kind kind, String name, String why, Optional<Piece> piece, Optional<JsonObject> there) {
    static final String PRUNES = "gone from the folder; --prune removes it";
    static final String YIELDS = "others have made or changed it since: it stays, and is this deployment's no more";

    public Step {
        requireNonNull(change);
        requireNonNull(kind);
        requireNonNull(name);
        requireNonNull(why);
        requireNonNull(piece);
        requireNonNull(there);
    }

    /** What is done. */
    public enum Change {
        CREATE("create"),
        VERSION("new version"),
        UPDATE("update"),
        REPLACE("replace"),
        REMOVE("remove"),
        /** It is as the folder says, and becomes this deployment's. */
        TAKE("take over"),
        /** It is gone from the folder, and stays on the server, since nobody asked for its removal. */
        LEFT("left"),
        /** It is gone from the folder, but isn't this deployment's any more: it stays, and this deployment forgets it. */
        YIELDED("yielded"),
        /** It isn't done, and neither is anything else: somebody has to decide first. */
        CONFLICT("conflict"),
        UNCHANGED("unchanged");

        private final String word;

        Change(String word) {
            this.word = word;
        }

        public String word() {
            return word;
        }

        /** Whether something is sent for it. */
        public boolean isPending() {
            return this == CREATE
                    || this == VERSION
                    || this == UPDATE
                    || this == REPLACE
                    || this == REMOVE
                    || this == TAKE;
        }
    }

    static Step of(Change change, Piece piece, Optional<JsonObject> there, String why) {
        return new Step(change, piece.kind(), piece.name(), why, Optional.of(piece), there);
    }

    static Step gone(Change change, Piece.Kind kind, String name, JsonObject there, String why) {
        return new Step(change, kind, name, why, Optional.empty(), Optional.of(there));
    }
}
