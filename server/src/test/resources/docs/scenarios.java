import dev.flowstone.testkit.junit.ScenarioTests;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.TestFactory;

final class OrderScenarios {
@BLOCK@
}
