package dev.flowstone.bench.torture.check;

import dev.flowstone.bench.torture.check.RunSeen.Seen;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What became of the messages that runs sent, by their histories and the receiver's ledger.
 *
 * <ul>
 *   <li>Each message that a history says was sent was taken, at least once.
 *   <li>A run's message has one id, which is that of the event that scheduled it; no other id ever came.
 *   <li>Everything that came was signed, and says what it should.
 * </ul>
 *
 * @param sent messages of all runs
 * @param deliveries what arrived, in all
 * @param again of those, what had been taken before
 * @param refused of those, what the receiver asked for again
 * @param wrong each in words
 */
public record Messages(long sent, long deliveries, long again, long refused, List<String> wrong) {
    private static final String TELL = "tell#1";

    public Messages {
        wrong = List.copyOf(wrong);
    }

    /** Judges all runs that there are, by their ids. */
    public static Messages check(Map<String, RunSeen> runs, List<Delivery> deliveries) {
        List<String> wrong = new ArrayList<>();
        Map<String, List<Delivery>> arrived = deliveries.stream().collect(Collectors.groupingBy(Delivery::run));
        deliveries.stream()
                .filter(delivery -> !delivery.genuine())
                .forEach(delivery -> wrong.add(delivery.id() + " came without its signature"));
        long sent = 0;
        for (RunSeen run : runs.values()) {
            List<Delivery> of = arrived.getOrDefault(run.run(), List.of());
            Optional<String> key = key(run);
            sent += key.isPresent() ? 1 : 0;
            judge(run, key, of).forEach(wrong::add);
        }
        arrived.keySet().stream()
                .filter(run -> !runs.containsKey(run))
                .forEach(run -> wrong.add("a message came from " + run + ", which there is not"));
        List<Delivery> taken = deliveries.stream().filter(Delivery::taken).toList();
        long known = taken.stream().map(Delivery::id).distinct().count();
        return new Messages(
                sent, deliveries.size(), taken.size() - known, deliveries.size() - (long) taken.size(), wrong);
    }

    private static Stream<String> judge(RunSeen run, Optional<String> key, Collection<Delivery> arrived) {
        Set<String> ids = arrived.stream().map(Delivery::id).collect(Collectors.toCollection(TreeSet::new));
        List<String> wrong = new ArrayList<>();
        if (key.isEmpty()) {
            ids.forEach(id -> wrong.add(id + " came, and its run's history says of no message"));
            return wrong.stream();
        }
        String sent = key.get();
        if (arrived.stream().noneMatch(one -> one.id().equals(sent) && one.taken())) {
            wrong.add(sent + " was never taken");
        }
        ids.stream()
                .filter(id -> !id.equals(sent))
                .forEach(id -> wrong.add(id + " came, and its run sent " + sent + " only"));
        if (scheduled(run).noneMatch(event -> sent.startsWith(run.run() + ":" + event.sequence() + ":"))) {
            wrong.add(sent + " is no event's that scheduled a message");
        }
        arrived.stream()
                .filter(one -> !one.name().equals(run.requestId()))
                .forEach(one -> wrong.add(one.id() + " says " + one.name() + ", and not " + run.requestId()));
        return wrong.stream();
    }

    private static Stream<Seen> scheduled(RunSeen run) {
        return run.of("TaskScheduled").filter(event -> event.activation().equals(TELL));
    }

    /** Of its message, as its history tells it. */
    private static Optional<String> key(RunSeen run) {
        return run.of("TaskCompleted")
                .filter(event -> event.activation().equals(TELL))
                .map(event -> message(event.body()))
                .findFirst();
    }

    private static String message(JsonObject body) {
        return body.get("output") instanceof JsonObject output
                        && output.get("inline") instanceof JsonObject inline
                        && inline.get("message") instanceof JsonString(String key)
                ? key
                : "";
    }
}
