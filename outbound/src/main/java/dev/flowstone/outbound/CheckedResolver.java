package dev.flowstone.outbound;

import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;

/**
 * The addresses that a target may be connected to: its name is looked up once, and if one of its addresses is refused, all are. Whoever
 * mixes a private address among public ones is after the private one.
 */
final class CheckedResolver implements AutoCloseable {
    private final AddressPolicy policy;
    private final Lookups lookups;
    private final OwnAddresses own;

    /** Addresses that were all checked, or why there are none. */
    sealed interface Resolution {}

    record Addresses(List<InetAddress> checked) implements Resolution {
        Addresses {
            checked = List.copyOf(checked);
        }
    }

    record Failed(Outcome.Failure failure) implements Resolution {}

    CheckedResolver(AddressPolicy policy, Resolver resolver, OwnAddresses own) {
        this.policy = policy;
        this.lookups = new Lookups(resolver);
        this.own = own;
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
                Optional<Outcome.Refused> refused = policy.refusesAddress(target, address, own);
                if (refused.isPresent()) {
                    return new Failed(refused.get());
                }
            }
        }
        return found;
    }

    private Resolution lookUp(Target target, Duration patience) throws InterruptedException {
        try {
            List<InetAddress> found = lookups.find(target.host(), patience);
            return found.isEmpty() ? unknown(target) : new Addresses(found);
        } catch (RejectedExecutionException e) {
            return new Failed(new Outcome.TimedOut(
                    "too many names are being looked up for " + target.origin() + " to be among them", true));
        } catch (ExecutionException e) {
            return unknown(target);
        } catch (TimeoutException e) {
            return new Failed(new Outcome.TimedOut("the name of " + target.origin() + " was not found in time", true));
        }
    }

    private static Failed unknown(Target target) {
        return new Failed(new Outcome.Unresolved(
                "the name of " + target.origin() + " has no address; check how it is written, and the name server",
                true));
    }

    @Override
    public void close() {
        lookups.close();
    }
}
