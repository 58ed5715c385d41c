package dev.flowstone.kernel.state;

import dev.flowstone.kernel.collection.SortedTree;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.NodeId;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What the run hears, waits for and holds of others: messages, permits, children, its parent. A part of a {@link Draft}, under the same rules. */
public final class DraftPost {
    /** The last message heard of each sender. */
    Heard heard = Heard.NOBODY;

    SortedTree<ActivationId, OpenAwait> awaits = SortedTree.empty();

    SortedTree<ActivationId, HeldPermit> permits = SortedTree.empty();

    SortedTree<PermitPlace, ActivationId> permitPlaces = SortedTree.empty();

    SortedTree<ActivationId, OpenChild> children = SortedTree.empty();

    int awaitedChildren;

    @Nullable
    Parentage parentage;

    /** Who started the run at the top of the tree; known only if this one may call others. */
    String principal = "";

    /** Sorts before every other activation. */
    private static final ActivationId FIRST = new ActivationId(new NodeId(" "), 1);

    DraftPost() {}

    DraftPost(DraftPost other) {
        this.heard = other.heard;
        this.awaits = other.awaits;
        this.permits = other.permits;
        this.permitPlaces = other.permitPlaces;
        this.children = other.children;
        this.awaitedChildren = other.awaitedChildren;
        this.parentage = other.parentage;
        this.principal = other.principal;
    }

    public Heard heard() {
        return heard;
    }

    /** Null if it waits for nothing, or no longer. */
    public @Nullable OpenAwait await(ActivationId id) {
        return awaits.get(id);
    }

    /** Null if the run doesn't hold any by this await. */
    public @Nullable HeldPermit permit(ActivationId id) {
        return permits.get(id);
    }

    /** Some permits that the run holds; null if it holds none. */
    public @Nullable HeldPermit anyPermit() {
        ActivationId first = permits.firstKey();
        return first == null ? null : permits.get(first);
    }

    /** All permits that the run holds. */
    public List<HeldPermit> permits() {
        return permits.values();
    }

    /** Some permits that are held in a scope instance; null if there are none. */
    public @Nullable HeldPermit permitIn(int scope) {
        PermitPlace place = permitPlaces.ceilingKey(new PermitPlace(scope, FIRST));
        return place == null || place.scope() != scope ? null : permits.get(place.activation());
    }

    /** Some permits that an await got in a scope instance; null if there are none. */
    public @Nullable HeldPermit permitIn(int scope, NodeId await) {
        PermitPlace place = permitPlaces.ceilingKey(new PermitPlace(scope, new ActivationId(await, 1)));
        return place == null
                        || place.scope() != scope
                        || !place.activation().node().equals(await)
                ? null
                : permits.get(place.activation());
    }

    /** The child that a call started, or null if it has ended, as far as is known. */
    public @Nullable OpenChild child(ActivationId call) {
        return children.get(call);
    }

    /** Children that haven't ended, as far as is known, by call. */
    public List<OpenChild> children() {
        return children.values();
    }

    /** Whether the run may not end before a child has. */
    public boolean awaitsChildren() {
        return awaitedChildren > 0;
    }

    /** Whose child this is; empty if nobody called it. */
    public Optional<Parentage> parentage() {
        return Optional.ofNullable(parentage);
    }

    /** Who started the run at the top of the tree; empty if this one calls nobody. */
    public String principal() {
        return principal;
    }
}
