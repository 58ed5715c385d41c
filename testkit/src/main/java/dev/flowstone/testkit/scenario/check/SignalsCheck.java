package dev.flowstone.testkit.scenario.check;

import dev.flowstone.kernel.aggregate.ChannelState;
import dev.flowstone.testkit.scenario.source.Cursor;
import dev.flowstone.testkit.scenario.source.Members;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** {@code signals}: of these channels, how many signals are kept and how many awaits wait. */
record SignalsCheck(List<Channel> channels) implements Check {
    private static final List<String> KEYS = List.of("type", "key", "kept", "waiting");

    SignalsCheck {
        channels = List.copyOf(channels);
    }

    record Channel(String type, String key, Optional<Integer> kept, Optional<Integer> waiting) {}

    static Optional<Check> read(Cursor value) {
        List<Channel> channels = new ArrayList<>();
        for (Cursor item : value.items()) {
            Members members = item.members(KEYS);
            Optional<String> type = members.need("type").flatMap(Cursor::text);
            Optional<String> key = members.need("key").flatMap(Cursor::text);
            if (type.isPresent() && key.isPresent()) {
                channels.add(new Channel(
                        type.get(),
                        key.get(),
                        members.find("kept").flatMap(Cursor::count),
                        members.find("waiting").flatMap(Cursor::count)));
            }
        }
        return Optional.of(new SignalsCheck(channels));
    }

    @Override
    public List<String> differences(Observed run) {
        List<String> lines = new ArrayList<>();
        for (Channel channel : channels) {
            Optional<ChannelState> state = run.surroundings().channel(channel.type(), channel.key());
            String name = channel.type() + " " + channel.key();
            compare(lines, name + " kept", channel.kept(), state.map(ChannelState::kept));
            compare(
                    lines,
                    name + " waiting",
                    channel.waiting(),
                    state.map(it -> it.waiting().size()));
        }
        return lines;
    }

    private static void compare(List<String> lines, String what, Optional<Integer> expected, Optional<Integer> found) {
        int count = found.orElse(0);
        expected.filter(it -> it != count).ifPresent(it -> lines.add(what + "  expected " + it + ", was " + count));
    }
}
