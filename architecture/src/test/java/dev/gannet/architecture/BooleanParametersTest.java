package dev.gannet.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaModifier;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Two booleans side by side can be swapped without a compiler's notice, and a call does not say
 * what they mean. Private ones are left out: they stand beside the few calls that they have.
 */
final class BooleanParametersTest {
  @Test
  void noMethodTakesTwoBooleansSideBySide() {
    List<JavaCodeUnit> all =
        Arrays.stream(ProjectModule.values())
            .flatMap(module -> ProjectClasses.writtenClassesOf(module).stream())
            .flatMap(BooleanParametersTest::visibleCode)
            .toList();
    assertThat(all).hasSizeGreaterThan(3000); // it has looked
    assertThat(all.stream().filter(BooleanParametersTest::takesPair).map(JavaCodeUnit::getFullName))
        .isEmpty();
  }

  private static Stream<JavaCodeUnit> visibleCode(JavaClass type) {
    return type.getCodeUnits().stream()
        .filter(it -> !it.getModifiers().contains(JavaModifier.PRIVATE))
        .filter(it -> !it.getModifiers().contains(JavaModifier.SYNTHETIC));
  }

  private static boolean takesPair(JavaCodeUnit code) {
    List<JavaClass> types = code.getRawParameterTypes();
    return IntStream.range(1, types.size())
        .anyMatch(i ->
            types.get(i).isEquivalentTo(boolean.class)
                && types.get(i - 1).isEquivalentTo(boolean.class));
  }
}
