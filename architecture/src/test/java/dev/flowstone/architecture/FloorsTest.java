package dev.flowstone.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;

/** A module uses only the modules below it, and no two packages use each other. */
@AnalyzeClasses(packages = "dev.flowstone", importOptions = DoNotIncludeTests.class)
final class FloorsTest {
    @ArchTest
    static final ArchRule everyClassHasAFloor = classes()
            .should()
            .resideInAnyPackage(
                    Floors.KERNEL,
                    Floors.EXPRESSION,
                    Floors.DIALECTS,
                    Floors.ENGINE,
                    Floors.TESTKIT,
                    Floors.POSTGRES,
                    Floors.BENCH,
                    Floors.SERVER)
            .because("a module that these rules do not know escapes all of them: give it its floor here first");

    @ArchTest
    static final ArchRule floorsUseOnlyThoseBelow = layeredArchitecture()
            .consideringOnlyDependenciesInLayers()
            .withOptionalLayers(true)
            .layer("kernel")
            .definedBy(Floors.KERNEL)
            .layer("expression")
            .definedBy(Floors.EXPRESSION)
            .layer("dialects")
            .definedBy(Floors.DIALECTS)
            .layer("engine")
            .definedBy(Floors.ENGINE)
            .layer("testkit")
            .definedBy(Floors.TESTKIT)
            .layer("postgres")
            .definedBy(Floors.POSTGRES)
            .layer("bench")
            .definedBy(Floors.BENCH)
            .layer("server")
            .definedBy(Floors.SERVER)
            .whereLayer("server")
            .mayNotBeAccessedByAnyLayer()
            .whereLayer("bench")
            .mayOnlyBeAccessedByLayers("server")
            .whereLayer("postgres")
            .mayOnlyBeAccessedByLayers("bench", "server")
            .whereLayer("testkit")
            .mayNotBeAccessedByAnyLayer()
            .whereLayer("engine")
            .mayOnlyBeAccessedByLayers("testkit", "postgres", "bench", "server")
            .whereLayer("dialects")
            .mayOnlyBeAccessedByLayers("engine", "testkit", "postgres", "bench", "server")
            .whereLayer("expression")
            .mayOnlyBeAccessedByLayers("dialects", "engine", "testkit", "postgres", "bench", "server")
            .because("a floor that reaches up can no longer be understood, tested or replaced alone");

    @ArchTest
    static final ArchRule noPackagesInACircle = slices().assignedFrom(new EachPackage())
            .should()
            .beFreeOfCycles()
            .because("packages in a circle are one big package: nobody can read one of them first");

    /** Each package is a slice of its own, a parent and its child included. */
    private static final class EachPackage implements SliceAssignment {
        @Override
        public SliceIdentifier getIdentifierOf(JavaClass type) {
            return SliceIdentifier.of(type.getPackageName());
        }

        @Override
        public String getDescription() {
            return "each package";
        }
    }
}
