package dev.flowstone.engine.shard;

import dev.flowstone.engine.journal.OutboxMessage;
import dev.flowstone.engine.task.Post;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.state.Attempt;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the one-way attempts send that were scheduled in one turn. */
final class TurnPosts {
    private final List<Post> posts = new ArrayList<>(0);

    void add(Post post) {
        posts.add(post);
    }

    boolean isEmpty() {
        return posts.isEmpty();
    }

    /** What leaves with the turn: not what was canceled in it, before it could. */
    List<OutboxMessage> messages(Set<ActivationId> canceled) {
        if (posts.isEmpty()) {
            return List.of();
        }
        return posts.stream()
                .filter(post -> !canceled.contains(post.call().activation()))
                .flatMap(post -> post.message().stream())
                .toList();
    }

    /** Of an attempt that the turn has scheduled, if it is a one-way one. */
    @Nullable
    Post of(Attempt attempt) {
        for (Post post : posts) {
            if (post.call().activation().equals(attempt.activation())
                    && post.call().attempt() == attempt.attempt()) {
                return post;
            }
        }
        return null;
    }
}
