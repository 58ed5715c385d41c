package dev.flowstone.engine.node;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.Ports;
import dev.flowstone.engine.effect.Publisher;
import dev.flowstone.engine.shard.DecisionRule;
import dev.flowstone.engine.shard.Observer;
import dev.flowstone.engine.task.HandlerRegistry;
import dev.flowstone.engine.task.VirtualThreads;
import dev.flowstone.engine.trace.Tracer;
import dev.flowstone.kernel.decision.Env;
import dev.flowstone.kernel.expression.Expressions;
import dev.flowstone.kernel.policy.Policies;
import dev.flowstone.kernel.schedule.Schedules;
import java.security.SecureRandom;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

/**
 * What a node's engine is made of; nothing else reaches the outside, the time or chance.
 *
 * @param policies evaluators of published policies, by kind
 * @param publishers of outbox messages, by destination
 * @param executor runs handlers and deliveries
 * @param random everything that is random comes from here; split once for each shard
 * @param rule by which shards decide; the kernel's, but in tests
 */
public record EngineParts(
        Ports ports,
        Expressions expressions,
        Schedules schedules,
        Policies policies,
        HandlerRegistry handlers,
        Map<String, Publisher> publishers,
        Observer observer,
        Tracer tracer,
        Executor executor,
        RandomGenerator.SplittableGenerator random,
        DecisionRule rule) {
    public EngineParts {
        requireNonNull(ports);
        requireNonNull(expressions);
        requireNonNull(schedules);
        requireNonNull(policies);
        requireNonNull(handlers);
        publishers = Map.copyOf(publishers);
        requireNonNull(observer);
        requireNonNull(tracer);
        requireNonNull(executor);
        requireNonNull(random);
        requireNonNull(rule);
    }

    /** Handlers on virtual threads, no schedules, no publishers, nobody watching. */
    public static EngineParts of(Ports ports, Expressions expressions, HandlerRegistry handlers) {
        return new EngineParts(
                ports,
                expressions,
                Env.NO_SCHEDULES,
                Policies.BUILT_IN,
                handlers,
                Map.of(),
                Observer.NONE,
                Tracer.NONE,
                new VirtualThreads(),
                new SplittableRandom(new SecureRandom().nextLong()),
                DecisionRule.KERNEL);
    }

    /** Who reads the schedules of timers. */
    public EngineParts withSchedules(Schedules reader) {
        return new EngineParts(
                ports, expressions, reader, policies, handlers, publishers, observer, tracer, executor, random, rule);
    }

    /** Who evaluates policies, by kind. */
    public EngineParts withPolicies(Policies evaluators) {
        return new EngineParts(
                ports,
                expressions,
                schedules,
                evaluators,
                handlers,
                publishers,
                observer,
                tracer,
                executor,
                random,
                rule);
    }

    public EngineParts withPublishers(Map<String, Publisher> byDestination) {
        return new EngineParts(
                ports,
                expressions,
                schedules,
                policies,
                handlers,
                byDestination,
                observer,
                tracer,
                executor,
                random,
                rule);
    }

    public EngineParts withObserver(Observer watcher) {
        return new EngineParts(
                ports, expressions, schedules, policies, handlers, publishers, watcher, tracer, executor, random, rule);
    }

    public EngineParts withTracer(Tracer follower) {
        return new EngineParts(
                ports,
                expressions,
                schedules,
                policies,
                handlers,
                publishers,
                observer,
                follower,
                executor,
                random,
                rule);
    }

    public EngineParts withExecutor(Executor runner) {
        return new EngineParts(
                ports, expressions, schedules, policies, handlers, publishers, observer, tracer, runner, random, rule);
    }

    public EngineParts withRandom(RandomGenerator.SplittableGenerator source) {
        return new EngineParts(
                ports,
                expressions,
                schedules,
                policies,
                handlers,
                publishers,
                observer,
                tracer,
                executor,
                source,
                rule);
    }

    public EngineParts withRule(DecisionRule decisions) {
        return new EngineParts(
                ports,
                expressions,
                schedules,
                policies,
                handlers,
                publishers,
                observer,
                tracer,
                executor,
                random,
                decisions);
    }
}
