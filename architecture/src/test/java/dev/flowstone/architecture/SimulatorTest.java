package dev.flowstone.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import dev.flowstone.engine.node.EngineConfig;
import dev.flowstone.engine.node.EngineNode;
import dev.flowstone.engine.node.EngineParts;
import dev.flowstone.engine.shard.ShardLoop;
import dev.flowstone.kernel.decision.Kernel;
import dev.flowstone.testkit.scenario.SteppedNode;
import dev.flowstone.testkit.simulation.world.SimulatedNode;
import java.util.Set;
import java.util.stream.Collectors;

/** The fault simulator proves something about the production engine, or nothing. */
@AnalyzeClasses(
        packages = "dev.flowstone",
        importOptions = {DoNotIncludeTests.class, WrittenByHand.class})
final class SimulatorTest {
    private static final String SIMULATION = "dev.flowstone.testkit.simulation..";

    @ArchTest
    static void itCopiesNothingOfTheEngine(JavaClasses house) {
        Set<String> ofTheEngine = house.stream()
                .filter(type -> type.getPackageName().startsWith("dev.flowstone.engine"))
                .filter(type -> type.isTopLevelClass() && !type.getSimpleName().equals("package-info"))
                .map(JavaClass::getSimpleName)
                .collect(Collectors.toSet());
        noClasses()
                .that()
                .resideInAPackage(SIMULATION)
                .should()
                .haveNameMatching(ofTheEngine.stream().collect(Collectors.joining("|", ".*\\.(", ")")))
                .because("a copy of a class of the engine would be simulated in its place")
                .check(house);
    }

    @ArchTest
    static final ArchRule itDecidesNothingItself = noClasses()
            .that()
            .resideInAPackage(SIMULATION)
            .should()
            .callMethodWhere(new DescribedPredicate<>("Kernel.decide is called") {
                @Override
                public boolean test(com.tngtech.archunit.core.domain.JavaMethodCall call) {
                    return call.getTargetOwner().isEquivalentTo(Kernel.class)
                            && call.getTarget().getName().equals("decide");
                }
            })
            .because("decisions are made by the shards' own deciders, on the states that they hold");

    @ArchTest
    static final ArchRule itsNodesRunTheProductionEngine = classes()
            .that()
            .haveSimpleName("SimulatedNode")
            .should()
            .dependOnClassesThat()
            .areAssignableTo(SteppedNode.class)
            .andShould()
            .accessClassesThat()
            .areAssignableTo(EngineNode.class)
            .because("what is simulated are the things around the engine");

    /** From its nodes the simulator comes to each of them, and as none can be extended, it comes to these very classes. */
    @ArchTest
    static void itRunsTheProductionLoopTimersDispatcherAndRouting(JavaClasses house) {
        Set<String> reached = house.get(SimulatedNode.class).getTransitiveDependenciesFromSelf().stream()
                .map(dependency -> dependency.getTargetClass().getName())
                .collect(Collectors.toSet());
        for (String driver : Drivers.ALL) {
            assertTrue(
                    house.get(driver).getModifiers().contains(JavaModifier.FINAL), () -> driver + " can be replaced");
            assertTrue(reached.contains(driver), () -> driver + " isn't simulated");
        }
    }

    /** It steps the production loops itself: nothing else makes a shard go on. */
    @ArchTest
    static final ArchRule itsStepsAreTheLoopsOwn = classes()
            .that()
            .areAssignableTo(SteppedNode.class)
            .should()
            .callConstructor(EngineNode.class, EngineConfig.class, EngineParts.class)
            .andShould()
            .callMethod(EngineNode.class, "keepLeases")
            .andShould()
            .callMethod(ShardLoop.class, "step")
            .because("a node that is stepped is a node of production without its threads");
}
