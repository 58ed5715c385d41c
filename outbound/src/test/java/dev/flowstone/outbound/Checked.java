package dev.flowstone.outbound;

import java.net.InetAddress;
import java.time.Duration;
import java.util.List;

/** What becomes of a URL before anything is connected to. */
final class Checked {
    private Checked() {}

    /** The addresses that would be connected to, or {@code refused: } and the reason, or the code of another failure. */
    static String check(String url, AddressPolicy policy, Resolver names) throws InterruptedException {
        try (CheckedResolver resolver = new CheckedResolver(policy, names)) {
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
