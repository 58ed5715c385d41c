package dev.flowstone.outbound;

import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The addresses that a target may be connected to: its name is looked up once, and if one of its addresses is refused, all are. Whoever
 * mixes a private address among public ones is after the private one.
 *
 * <p>Names are looked up on platform threads of its own: the JDK does it in native code, where a virtual thread would hold its carrier,
 * and where nothing can be interrupted.
 */
final class CheckedResolver implements AutoCloseable {
    private static final int THREADS = 16;
    private static final int WAITING = 1_024;

    private final AddressPolicy policy;
    private final Resolver resolver;
    private final ThreadPoolExecutor threads;

    /** Addresses that were all checked, or why there are none. */
    sealed interface Resolution {}

    record Addresses(List<InetAddress> checked) implements Resolution {
        Addresses {
            checked = List.copyOf(checked);
        }
    }

    record Failed(Outcome.Failure failure) implements Resolution {}

    CheckedResolver(AddressPolicy policy, Resolver resolver) {
        this.policy = policy;
        this.resolver = resolver;
        this.threads = new ThreadPoolExecutor(
                THREADS,
                THREADS,
                30,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(WAITING),
                Thread.ofPlatform().daemon().name("outbound-names-", 0).factory());
        this.threads.allowCoreThreadTimeOut(true);
    }

    /** Waits until the deadline at most. */
    Resolution resolve(Target target, Deadline deadline) throws InterruptedException {
        Optional<Outcome.Refused> refusedName = policy.refusesName(target);
        if (refusedName.isPresent()) {
            return new Failed(refusedName.get());
        }
        InetAddress literal = target.literal();
        Resolution found = literal == null ? lookUp(target, deadline.remaining()) : new Addresses(List.of(literal));
        if (found instanceof Addresses addresses) {
            for (InetAddress address : addresses.checked()) {
                Optional<Outcome.Refused> refused = policy.refusesAddress(target, address);
                if (refused.isPresent()) {
                    return new Failed(refused.get());
                }
            }
        }
        return found;
    }

    private Resolution lookUp(Target target, Duration patience) throws InterruptedException {
        Future<List<InetAddress>> looking;
        try {
            looking = threads.submit(() -> resolver.resolve(target.host()));
        } catch (RejectedExecutionException e) {
            return new Failed(new Outcome.TimedOut(
                    "too many names are being looked up for " + target.origin() + " to be among them", true));
        }
        try {
            List<InetAddress> found = looking.get(patience.toNanos(), TimeUnit.NANOSECONDS);
            return found.isEmpty() ? unknown(target) : new Addresses(found);
        } catch (ExecutionException e) {
            return unknown(target);
        } catch (TimeoutException e) {
            return new Failed(new Outcome.TimedOut("the name of " + target.origin() + " was not found in time", true));
        } finally {
            looking.cancel(false);
        }
    }

    private static Failed unknown(Target target) {
        return new Failed(new Outcome.Unresolved(
                "the name of " + target.origin() + " has no address; check how it is written, and the name server",
                true));
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
