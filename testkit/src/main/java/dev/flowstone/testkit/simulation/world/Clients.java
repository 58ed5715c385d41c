package dev.flowstone.testkit.simulation.world;

import dev.flowstone.engine.call.CallAnswer;
import dev.flowstone.engine.call.CallRequest;
import dev.flowstone.engine.start.ResetRequest;
import dev.flowstone.engine.start.StartAnswer;
import dev.flowstone.engine.start.StartRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Callers who start runs, ask things of them and remember what they were told. */
public final class Clients {
    private final Coverage coverage;
    private final List<StartRequest> requests = new ArrayList<>();
    private final List<Call> waiting = new ArrayList<>();
    private final List<Told> told = new ArrayList<>();
    private final List<Asked> calling = new ArrayList<>();
    private final List<Answered> answered = new ArrayList<>();
    private final List<ResetRequest> resets = new ArrayList<>();
    private final List<Resetting> resetting = new ArrayList<>();
    private final List<Reset> toldOfResets = new ArrayList<>();

    Clients(Coverage coverage) {
        this.coverage = coverage;
    }

    /** A call under way. */
    private record Call(StartRequest request, CompletableFuture<StartAnswer> answer, Asking asking) {}

    /** A command under way. */
    private record Asked(CallRequest request, CompletableFuture<CallAnswer> answer) {}

    /** A reset under way. */
    private record Resetting(ResetRequest request, CompletableFuture<StartAnswer> answer, Asking asking) {}

    /** What an operator was told who began a run at a point of another one's past. */
    public record Reset(ResetRequest request, StartAnswer answer, Door door) {}

    /** What a caller of a command was told. */
    public record Answered(CallRequest request, CallAnswer answer) {}

    /** What a caller was told. */
    public record Told(StartRequest request, StartAnswer answer, Door door) {}

    /** Which process was asked. */
    public record Incarnation(String node, int incarnation) {}

    /**
     * Where and when somebody asked.
     *
     * @param asked for how long the node's clock had gone on then, leaps ahead included, and back not taken off
     * @param heard the same when the answer was there
     */
    public record Door(Incarnation process, Duration asked, Duration heard) {}

    /** Somebody has asked a node. */
    private record Asking(SimulatedNode node, int incarnation, Duration asked) {
        static Asking at(SimulatedNode node) {
            return new Asking(node, node.incarnation(), node.gone());
        }

        Door answered() {
            return new Door(new Incarnation(node.name(), incarnation), asked, node.gone());
        }
    }

    /** Asks a node and waits for its answer; false if it is down or says at once that it can't now. */
    public boolean ask(SimulatedNode node, StartRequest request) {
        if (!requests.contains(request)) {
            requests.add(request);
        }
        if (node.engine().isEmpty()) {
            return false;
        }
        CompletableFuture<StartAnswer> answer = node.engine().get().node().start(request);
        waiting.add(new Call(request, answer, Asking.at(node)));
        return !isNotNow(answer.getNow(null));
    }

    /** Whoever hears this asks again. */
    private static boolean isNotNow(@Nullable StartAnswer answer) {
        return answer instanceof StartAnswer.Busy || answer instanceof StartAnswer.OverQuota;
    }

    /** Asks a node for something and waits for its answer; false if it is down or says at once that it is busy. */
    public boolean call(SimulatedNode node, CallRequest request) {
        if (node.engine().isEmpty()) {
            return false;
        }
        CompletableFuture<CallAnswer> answer = node.engine().get().node().call(request);
        calling.add(new Asked(request, answer));
        return !(answer.getNow(null) instanceof CallAnswer.Busy);
    }

    /** Asks a node to begin a run at a point of another one's past, unless it is down. */
    public void reset(SimulatedNode node, ResetRequest request) {
        if (!resets.contains(request)) {
            resets.add(request);
        }
        node.engine()
                .ifPresent(up -> resetting.add(new Resetting(request, up.node().reset(request), Asking.at(node))));
    }

    /** Every reset that was ever asked for, each once. */
    public List<ResetRequest> resets() {
        return resets;
    }

    /** The answers to resets that have come, in order; grows. */
    public List<Reset> toldOfResets() {
        return toldOfResets;
    }

    /** Whether a reset has got an answer that ends it. */
    public boolean isSettled(ResetRequest request) {
        return toldOfResets.stream().anyMatch(one -> one.request.equals(request) && !isNotNow(one.answer));
    }

    /** The answers to calls that have come, in order; grows. */
    public List<Answered> answered() {
        return answered;
    }

    /** Everything that was ever asked, each request once. */
    public List<StartRequest> requests() {
        return requests;
    }

    /** The answers that have come, in order; grows. */
    public List<Told> told() {
        return told;
    }

    /** Whether a request has got an answer that ends it. */
    public boolean isSettled(StartRequest request) {
        return told.stream().anyMatch(one -> one.request.equals(request) && !isNotNow(one.answer));
    }

    /** Notes the answers that have come. */
    void listen() {
        for (Iterator<Asked> all = calling.iterator(); all.hasNext(); ) {
            Asked call = all.next();
            Optional.ofNullable(call.answer.getNow(null)).ifPresent(answer -> {
                answered.add(new Answered(call.request, answer));
                all.remove();
            });
        }
        resetting.removeIf(call -> {
            Optional<StartAnswer> answer = Optional.ofNullable(call.answer.getNow(null));
            answer.ifPresent(it -> toldOfResets.add(new Reset(call.request, it, call.asking.answered())));
            return answer.isPresent();
        });
        for (int i = 0; i < waiting.size(); i++) {
            Call call = waiting.get(i);
            Optional<StartAnswer> answer = Optional.ofNullable(call.answer.getNow(null));
            if (answer.isPresent()) {
                told.add(new Told(call.request, answer.get(), call.asking.answered()));
                coverage.count(Coverage.Sort.START, answer.get().getClass().getSimpleName());
                waiting.remove(i);
                i--;
            }
        }
    }
}
