package dev.flowstone.server.cli;

import dev.flowstone.engine.workflow.DefinitionCompiler;
import dev.flowstone.server.config.ConfigException;
import dev.flowstone.server.node.CannotStartException;
import dev.flowstone.server.node.OfflineDefinitions;
import dev.flowstone.testkit.scenario.file.Compilers;
import java.util.Map;
import java.util.Set;

/** The dialects of this Flowstone for scenario files, set up as the call says and, before that, as a file says. */
final class ScenarioCompilers implements Compilers {
    private final SettingOptions settings;
    private final OfflineDefinitions definitions = new OfflineDefinitions();

    ScenarioCompilers(SettingOptions settings) {
        this.settings = settings;
    }

    @Override
    public DefinitionCompiler compiler(Set<String> actions, Map<String, String> ofFile) {
        try {
            return definitions.of(settings.config(ofFile), actions);
        } catch (ConfigException | CannotStartException e) {
            throw new IllegalArgumentException(String.valueOf(e.getMessage()), e);
        }
    }
}
