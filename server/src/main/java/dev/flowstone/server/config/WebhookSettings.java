package dev.flowstone.server.config;

import dev.flowstone.outbound.WebhookSecret;
import java.util.ArrayList;
import java.util.List;

/** The endpoints that webhooks go to. */
final class WebhookSettings {
    private static final SettingGroup GROUP = new SettingGroup();

    /** Endpoints have names. */
    static final String FAMILY = "webhook";

    static final Setting<String> URL = GROUP.add(Setting.text(
            "webhook.NAME.url", "", "where core.webhook sends what is for the endpoint NAME (a-z, 0-9, hyphens)"));
    static final Setting<String> SECRET = GROUP.add(Setting.secret(
            "webhook.NAME.secret", "that signs it: whsec_ and 24 to 64 bytes in Base64 (Standard Webhooks)"));
    static final Setting<String> PREVIOUS_SECRET = GROUP.add(Setting.secret(
            "webhook.NAME.previousSecret", "that signs it, too, as long as the receiver may not know the new one"));
    static final Setting<Integer> AT_ONCE = GROUP.add(Setting.number(
            "webhook.NAME.atOnce", 0, 0, "deliveries of one node to it under way at once; 0 for outbox.atOnce"));
    static final Setting<Double> PER_SECOND = GROUP.add(
            Setting.rate("webhook.NAME.perSecond", "deliveries of one node to it that begin; 0 for any number"));

    private WebhookSettings() {}

    /** In the order in which they are listed. */
    static List<Setting<?>> all() {
        return GROUP.all();
    }

    static List<Webhook> of(Sources sources) throws ConfigException {
        List<Webhook> webhooks = new ArrayList<>();
        for (String name : sources.names(FAMILY)) {
            webhooks.add(webhook(sources, name));
        }
        return webhooks;
    }

    private static Webhook webhook(Sources sources, String name) throws ConfigException {
        List<WebhookSecret> secrets = new ArrayList<>();
        for (Setting<String> setting : List.of(SECRET, PREVIOUS_SECRET)) {
            String text = sources.value(setting.of(name));
            if (!text.isEmpty()) {
                secrets.add(secret(setting.of(name), text));
            }
        }
        return new Webhook(
                name,
                sources.value(URL.of(name)),
                secrets,
                sources.value(AT_ONCE.of(name)),
                sources.value(PER_SECOND.of(name)));
    }

    private static WebhookSecret secret(Setting<String> setting, String text) throws ConfigException {
        try {
            return WebhookSecret.parse(text);
        } catch (IllegalArgumentException e) {
            throw new ConfigException(setting.name() + ": " + e.getMessage());
        }
    }
}
