package dev.flowstone.outbound;

import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** What becomes of a URL before anything is connected to. */
final class Checked {
    private Checked() {}

    /** The addresses that would be connected to, or {@code refused: } and the reason, or the code of another failure. */
    static String check(String url, AddressPolicy policy, Resolver names) throws InterruptedException {
        return check(url, policy, names, Set.of());
    }

    /** The same on a machine that has these addresses. */
    static String check(String url, AddressPolicy policy, Resolver names, Set<InetAddress> own)
            throws InterruptedException {
        OwnAddresses machine = new OwnAddresses(() -> own, System::nanoTime);
        try (CheckedResolver resolver = new CheckedResolver(policy, names, machine)) {
            return switch (TargetReader.read(url)) {
                case TargetReader.Unread unread ->
                    "refused: " + unread.refusal().refusal();
                case TargetReader.Read read ->
                    told(resolver.resolve(read.target(), Deadline.in(Duration.ofSeconds(20))));
            };
        }
    }

    private static String told(CheckedResolver.Resolution resolution) {
        return switch (resolution) {
            case CheckedResolver.Addresses addresses -> addresses(addresses.checked());
            case CheckedResolver.Failed failed ->
                failed.failure() instanceof Outcome.Refused refused
                        ? "refused: " + refused.refusal()
                        : failed.failure().code();
        };
    }

    private static String addresses(List<InetAddress> addresses) {
        return String.join(
                " ", addresses.stream().map(InetAddress::getHostAddress).toList());
    }
}
