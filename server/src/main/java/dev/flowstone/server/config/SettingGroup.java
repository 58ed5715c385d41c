package dev.flowstone.server.config;

import java.util.ArrayList;
import java.util.List;

/** The settings of one area, in the order in which they are declared: whoever declares one can't forget to list it. */
final class SettingGroup {
    private final List<Setting<?>> settings = new ArrayList<>();

    <T> Setting<T> add(Setting<T> setting) {
        settings.add(setting);
        return setting;
    }

    List<Setting<?>> all() {
        return List.copyOf(settings);
    }
}
