package dev.flowstone.server.config;

import dev.flowstone.outbound.WebhookSecret;
import java.util.ArrayList;
import java.util.List;

/** What is set about messages that leave, and about the endpoints that they go to. */
final class OutboxSettings {
    private OutboxSettings() {}

    static FlowstoneConfig.Outbox of(Sources sources) throws ConfigException {
        List<Webhook> webhooks = new ArrayList<>();
        for (String name : sources.names(Settings.WEBHOOKS)) {
            webhooks.add(webhook(sources, name));
        }
        return new FlowstoneConfig.Outbox(
                sources.value(Settings.OUTBOX_AT_ONCE), sources.value(Settings.OUTBOX_ATTEMPTS), webhooks);
    }

    private static Webhook webhook(Sources sources, String name) throws ConfigException {
        List<WebhookSecret> secrets = new ArrayList<>();
        for (Setting<String> setting : List.of(Settings.WEBHOOK_SECRET, Settings.WEBHOOK_PREVIOUS_SECRET)) {
            String text = sources.value(setting.of(name));
            if (!text.isEmpty()) {
                secrets.add(secret(setting.of(name), text));
            }
        }
        return new Webhook(
                name,
                sources.value(Settings.WEBHOOK_URL.of(name)),
                secrets,
                sources.value(Settings.WEBHOOK_AT_ONCE.of(name)),
                sources.value(Settings.WEBHOOK_PER_SECOND.of(name)));
    }

    private static WebhookSecret secret(Setting<String> setting, String text) throws ConfigException {
        try {
            return WebhookSecret.parse(text);
        } catch (IllegalArgumentException e) {
            throw new ConfigException(setting.name() + ": " + e.getMessage());
        }
    }
}
