package dev.flowstone.testkit.simulation.invariant;

import dev.flowstone.engine.task.LinkLookup;
import dev.flowstone.kernel.aggregate.Aggregates;
import dev.flowstone.kernel.event.AggregateEvent;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.event.MessageEvent;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.testkit.simulation.world.Ledger;
import dev.flowstone.testkit.simulation.world.RunLog;
import dev.flowstone.testkit.simulation.world.World;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * R20: a resource has one owner, for ever, with what that one has linked. Each claim is settled once, and truly, also after its
 * run's end. Who looks finds the owner, at the latest when somebody has been told whose it is.
 */
final class ResourceHasOneOwner implements Invariant {
    private final Map<RunId, AggregateEvent.ResourceLinked> owners = new HashMap<>();
    private final Map<Claim, Integer> open = new HashMap<>();
    private final List<Told> told = new ArrayList<>();

    /** Of which somebody was told before the step at hand. */
    private final Set<RunId> known = new HashSet<>();

    private int seen;

    private record Claim(RunId run, ActivationId activation, RunId resource) {}

    private record Told(RunId run, MessageEvent.ResourceSettled settled) {}

    @Override
    public String number() {
        return "R20";
    }

    @Override
    public void moved(World world, RunLog log, List<Event> fresh) {
        RunId run = log.run().run();
        for (Event event : fresh) {
            switch (event.body()) {
                case AggregateEvent.ResourceLinked body -> {
                    if (owners.put(run, body) != null) {
                        throw broken(log.name() + " has a second owner: " + body);
                    }
                }
                case AggregateEvent.ResourceFound body
                when !owners.containsKey(run) -> throw broken(log.name() + " is found and nobody has made it: " + body);
                case MessageEvent.ResourceClaimed body -> {
                    RunId resource = Aggregates.link(World.TENANT, body.resourceType(), body.key());
                    open.merge(new Claim(run, body.activation(), resource), 1, Integer::sum);
                }
                case MessageEvent.ResourceSettled body -> {
                    int left = open.merge(new Claim(run, body.activation(), body.resource()), -1, Integer::sum);
                    if (left < 0) {
                        throw broken(log.name() + " is told again, or never asked: " + body);
                    }
                    told.add(new Told(run, body));
                }
                default -> {}
            }
        }
    }

    @Override
    public void stepped(World world) {
        List<Ledger.Lookup> lookups = world.ledger().lookups();
        while (seen < lookups.size()) {
            Ledger.Lookup lookup = lookups.get(seen);
            seen++;
            if (lookup.found().isEmpty() && known.contains(lookup.resource())) {
                throw broken(lookup.who() + " doesn't find " + lookup.resource() + ", whose owner is known");
            }
            lookup.found().ifPresent(found -> isTrue(lookup, found));
        }
        for (Told one : told) {
            isTrue(one);
            known.add(one.settled().resource());
        }
        told.clear();
    }

    private void isTrue(Ledger.Lookup lookup, LinkLookup.Found found) {
        AggregateEvent.ResourceLinked linked = owners.get(lookup.resource());
        if (linked == null
                || !linked.run().equals(found.owner())
                || !linked.content().equals(Payload.of(found.content()))) {
            throw broken(lookup.who() + " finds " + found + ", but linked is " + linked);
        }
    }

    private void isTrue(Told one) {
        MessageEvent.ResourceSettled settled = one.settled();
        AggregateEvent.ResourceLinked linked = owners.get(settled.resource());
        if (linked == null
                || !linked.run().equals(settled.owner())
                || !linked.content().equals(settled.content())
                || settled.owned() != settled.owner().equals(one.run())) {
            throw broken(one.run() + " is told " + settled + ", but linked is " + linked);
        }
    }

    @Override
    public void ended(World world) {
        open.forEach((claim, left) -> {
            if (left != 0) {
                throw broken(claim + " was never settled");
            }
        });
    }
}
