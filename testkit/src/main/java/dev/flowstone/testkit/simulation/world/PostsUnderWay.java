package dev.flowstone.testkit.simulation.world;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Letters of one process that are on their way to others; they die with it. */
final class PostsUnderWay {
    private final World world;
    private final Strikes strikes;
    private final List<Post> posts = new ArrayList<>();

    PostsUnderWay(World world, Strikes strikes) {
        this.world = world;
        this.strikes = strikes;
    }

    private record Post(Runnable letter, Instant due) {}

    void post(Runnable letter) {
        Strikes.Post strike = strikes.post();
        posts.add(new Post(letter, world.now().plus(strike.delay())));
        if (!strike.again().isZero()) {
            posts.add(new Post(letter, world.now().plus(strike.again())));
        }
    }

    /** Lets one letter arrive that is due; any may be the next. */
    boolean deliver(int choice) {
        List<Post> due =
                posts.stream().filter(one -> !one.due.isAfter(world.now())).toList();
        if (due.isEmpty()) {
            return false;
        }
        Post next = due.get(choice % due.size());
        posts.remove(next);
        next.letter.run();
        return true;
    }

    /** When the next one is due. */
    Instant next() {
        return posts.stream().map(Post::due).min(Comparator.naturalOrder()).orElse(Instant.MAX);
    }

    boolean isEmpty() {
        return posts.isEmpty();
    }

    void clear() {
        posts.clear();
    }
}
