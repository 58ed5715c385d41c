package dev.flowstone.server.config;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Every setting there is: each area has a class of its own that declares its settings, and reads them. */
public final class Settings {
    private static final List<Setting<?>> ALL = Stream.of(
                    HttpSettings.all(),
                    AuthSettings.all(),
                    RateSettings.all(),
                    NodeSettings.all(),
                    DatabaseSettings.all(),
                    DagSettings.all(),
                    StatesSettings.all(),
                    BoundSettings.all(),
                    LimitSettings.all(),
                    OutboundSettings.all(),
                    LogSettings.all(),
                    QuotaSettings.all(),
                    SweepSettings.all(),
                    OutboxSettings.all(),
                    DeadLetterSettings.all(),
                    WebhookSettings.all(),
                    SecretSettings.all(),
                    ConnectorSettings.all(),
                    EventSettings.all(),
                    TriggerSettings.all(),
                    HealthSettings.all(),
                    OptionSettings.all())
            .flatMap(List::stream)
            .toList();

    private Settings() {}

    /** Area by area, as they are listed to users. */
    public static List<Setting<?>> all() {
        return ALL;
    }

    static Optional<Setting<?>> named(String name) {
        return ALL.stream()
                .filter(setting -> setting.isFamily()
                        ? isOf(setting, name)
                        : setting.name().equals(name))
                .findFirst();
    }

    private static boolean isOf(Setting<?> family, String name) {
        return Sources.memberName(name)
                .map(member -> family.of(member).name().equals(name))
                .orElse(false);
    }
}
