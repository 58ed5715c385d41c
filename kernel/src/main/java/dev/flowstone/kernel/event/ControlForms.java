package dev.flowstone.kernel.event;

import dev.flowstone.kernel.command.HoldPolicy;
import dev.flowstone.kernel.command.Setting;
import dev.flowstone.kernel.event.ControlEvent.ActivationParked;
import dev.flowstone.kernel.event.ControlEvent.ActivationReleased;
import dev.flowstone.kernel.event.ControlEvent.BufferedInputRefused;
import dev.flowstone.kernel.event.ControlEvent.BufferedInputTaken;
import dev.flowstone.kernel.event.ControlEvent.HoldImposed;
import dev.flowstone.kernel.event.ControlEvent.HoldLifted;
import dev.flowstone.kernel.event.ControlEvent.HoldWaived;
import dev.flowstone.kernel.event.ControlEvent.IncidentResolved;
import dev.flowstone.kernel.event.ControlEvent.InputBuffered;
import dev.flowstone.kernel.event.ControlEvent.Migrated;
import dev.flowstone.kernel.event.ControlEvent.Resolution;
import dev.flowstone.kernel.event.ControlEvent.RollbackBegan;
import dev.flowstone.kernel.event.ControlEvent.RolledBack;
import dev.flowstone.kernel.event.ControlEvent.RunCanceled;
import dev.flowstone.kernel.event.ControlEvent.RunCanceling;
import dev.flowstone.kernel.event.ControlEvent.RunDraining;
import dev.flowstone.kernel.event.ControlEvent.RunReset;
import dev.flowstone.kernel.event.ControlEvent.RunResumed;
import dev.flowstone.kernel.event.ControlEvent.RunSuspended;
import dev.flowstone.kernel.event.ControlEvent.RunTerminated;
import dev.flowstone.kernel.event.ControlEvent.RunTerminating;
import dev.flowstone.kernel.event.ControlEvent.TimerForced;
import dev.flowstone.kernel.event.ControlEvent.TimerFrozen;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.TimerId;
import dev.flowstone.kernel.json.JsonCursor;
import dev.flowstone.kernel.json.JsonObject;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Stored forms of what operators do. */
final class ControlForms {
    private ControlForms() {}

    static void write(FrameOutput out, ControlEvent body) {
        switch (body) {
            case RunSuspended b -> hold(out, b.policy(), b.reason(), b.scope());
            case RunDraining b -> hold(out, b.policy(), b.reason(), b.scope());
            case RunResumed b -> out.name("reason").string(b.reason());
            case HoldImposed b -> imposed(out, b);
            case HoldLifted b -> {
                out.name("at").time(b.at());
                out.name("number").number(b.number());
            }
            case HoldWaived b -> {
                out.name("number").number(b.number());
                out.name("reason").string(b.reason());
            }
            case InputBuffered b -> {
                out.name("input").value(b.input());
                out.name("number").number(b.number());
            }
            case BufferedInputTaken b -> out.name("number").number(b.number());
            case BufferedInputRefused b -> {
                out.name("code").string(b.code());
                out.name("number").number(b.number());
                out.name("reason").string(b.reason());
            }
            case TimerFrozen b -> {
                out.name("generation").number(b.generation());
                out.name("remaining").string(b.remaining().toString());
                out.name("timer").string(b.timer().value());
            }
            case TimerForced b -> {
                out.name("generation").number(b.generation());
                out.name("timer").string(b.timer().value());
            }
            case ActivationParked b ->
                out.name("activation").string(b.activation().toString());
            case ActivationReleased b -> {
                out.name("activation").string(b.activation().toString());
                out.name("key").hash(b.key());
            }
            case RunCanceling b -> {
                out.name("compensates").bool(b.undoes());
                out.name("reason").string(b.reason());
                superseded(out, b.supersededBy());
            }
            case RunCanceled b -> {
                out.name("reason").string(b.reason());
                superseded(out, b.supersededBy());
            }
            case RunTerminating b -> out.name("reason").string(b.reason());
            case RunTerminated b -> out.name("reason").string(b.reason());
            case RollbackBegan b -> {
                out.name("mark").string(b.mark().value());
                out.name("reason").string(b.reason());
            }
            case RolledBack b -> out.name("mark").string(b.mark().value());
            case IncidentResolved b -> {
                b.error().ifPresent(error -> Parts.error(out.name("error"), error));
                out.name("how").string(b.how().name());
                out.name("sequence").number(b.sequence());
            }
            case Migrated b -> {
                out.name("from").hash(b.from());
                out.name("nodes").value(names(b.nodes()));
                out.name("to").hash(b.to());
            }
            case RunReset b -> {
                out.name("from").string(b.from().toString());
                out.name("program").hash(b.program());
                out.name("sequence").number(b.sequence());
                out.name("state").value(b.state());
            }
        }
    }

    /** What stands behind {@code type} and {@code v} in the order of names. */
    static void writeRest(FrameOutput out, ControlEvent body) {
        switch (body) {
            case IncidentResolved b -> b.value().ifPresent(value -> Parts.payload(out.name("value"), value));
            case Migrated b -> out.name("version").number(b.version());
            case RunSuspended _,
                    RunDraining _,
                    RunResumed _,
                    HoldImposed _,
                    HoldLifted _,
                    HoldWaived _,
                    InputBuffered _,
                    BufferedInputTaken _,
                    BufferedInputRefused _,
                    TimerFrozen _,
                    TimerForced _,
                    ActivationParked _,
                    ActivationReleased _,
                    RunCanceling _,
                    RunCanceled _,
                    RunTerminating _,
                    RunTerminated _,
                    RollbackBegan _,
                    RolledBack _,
                    RunReset _ -> {}
        }
    }

    private static void hold(FrameOutput out, HoldPolicy policy, String reason, String scope) {
        out.name("input").string(policy.input().name());
        out.name("reason").string(reason);
        out.name("scope").string(scope);
        out.name("timers").string(policy.timers().name());
    }

    private static void imposed(FrameOutput out, HoldImposed body) {
        body.expiresAt().ifPresent(time -> out.name("expiresAt").time(time));
        out.name("input").string(body.policy().input().name());
        out.name("mode").string(body.mode().name());
        out.name("number").number(body.number());
        out.name("reason").string(body.reason());
        out.name("scope").string(body.scope());
        out.name("since").time(body.since());
        out.name("timers").string(body.policy().timers().name());
    }

    private static void superseded(FrameOutput out, Optional<RunId> by) {
        by.ifPresent(run -> out.name("supersededBy").string(run.toString()));
    }

    private static JsonObject names(Map<NodeId, NodeId> nodes) {
        JsonObject.Builder out = JsonObject.builder();
        nodes.forEach((from, to) -> out.put(from.value(), to.value()));
        return out.build();
    }

    /** The event of this kind and version, or null if it is none of these. */
    static @Nullable ControlEvent read(String form, JsonCursor at) {
        return switch (form) {
            case "RunSuspended/1" -> new RunSuspended(policy(at), at.string("reason"), at.string("scope"));
            case "RunDraining/1" -> new RunDraining(policy(at), at.string("reason"), at.string("scope"));
            case "RunResumed/1" -> new RunResumed(at.string("reason"));
            case "HoldImposed/1" ->
                new HoldImposed(
                        at.longValue("number"),
                        at.as("mode", Setting.Mode::valueOf),
                        policy(at),
                        at.string("reason"),
                        at.string("scope"),
                        at.as("since", Times::read),
                        at.find("expiresAt").map(time -> time.as(Times::read)));
            case "HoldLifted/1" -> new HoldLifted(at.longValue("number"), at.as("at", Times::read));
            case "HoldWaived/1" -> new HoldWaived(at.longValue("number"), at.string("reason"));
            case "InputBuffered/1" ->
                new InputBuffered(at.longValue("number"), at.member("input").object());
            case "BufferedInputTaken/1" -> new BufferedInputTaken(at.longValue("number"));
            case "BufferedInputRefused/1" ->
                new BufferedInputRefused(at.longValue("number"), at.string("code"), at.string("reason"));
            case "TimerFrozen/1" ->
                new TimerFrozen(
                        at.as("timer", TimerId::new),
                        at.intValue("generation"),
                        Parts.duration(at.member("remaining")));
            case "TimerForced/1" -> new TimerForced(at.as("timer", TimerId::new), at.intValue("generation"));
            case "ActivationParked/1" -> new ActivationParked(Parts.activation(at));
            case "ActivationReleased/1" -> new ActivationReleased(Parts.activation(at), at.as("key", Sha256::parse));
            case "RunCanceling/1" -> new RunCanceling(at.string("reason"), at.bool("compensates"), superseded(at));
            case "RunCanceled/1" -> new RunCanceled(at.string("reason"), superseded(at));
            case "RunTerminating/1" -> new RunTerminating(at.string("reason"));
            case "RunTerminated/1" -> new RunTerminated(at.string("reason"));
            case "RollbackBegan/1" -> new RollbackBegan(at.as("mark", NodeId::new), at.string("reason"));
            case "RolledBack/1" -> new RolledBack(at.as("mark", NodeId::new));
            case "IncidentResolved/1" ->
                new IncidentResolved(
                        at.longValue("sequence"),
                        at.as("how", Resolution::valueOf),
                        at.find("value").map(Parts::payload),
                        at.find("error").map(Parts::error));
            case "Migrated/1" ->
                new Migrated(
                        at.as("from", Sha256::parse),
                        at.as("to", Sha256::parse),
                        at.intValue("version"),
                        names(at.member("nodes")));
            case "RunReset/1" ->
                new RunReset(
                        at.as("program", Sha256::parse),
                        at.as("from", RunId::parse),
                        at.longValue("sequence"),
                        at.member("state").object());
            default -> null;
        };
    }

    private static HoldPolicy policy(JsonCursor at) {
        return new HoldPolicy(
                at.as("timers", HoldPolicy.TimerRule::valueOf), at.as("input", HoldPolicy.InputRule::valueOf));
    }

    private static Optional<RunId> superseded(JsonCursor at) {
        return at.find("supersededBy").map(run -> run.as(RunId::parse));
    }

    private static Map<NodeId, NodeId> names(JsonCursor at) {
        Map<NodeId, NodeId> names = new LinkedHashMap<>();
        for (JsonCursor one : at.members()) {
            names.put(new NodeId(one.token()), one.as(NodeId::new));
        }
        return names;
    }
}
