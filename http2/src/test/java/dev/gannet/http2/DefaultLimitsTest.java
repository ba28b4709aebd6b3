package dev.gannet.http2;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.net.URL;
import java.net.URLClassLoader;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Limits are whole, whichever of their classes is the first that a program names. */
final class DefaultLimitsTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "Limits",
        "HeaderLimits",
        "WindowLimits",
        "WorkLimits",
        "AbuseLimits",
        "Timeouts",
        "PingPolicy",
        "PingLimits",
        "AbuseKind"
      })
  void anyClassMayBeLoadedFirst(String first) throws IOException, ReflectiveOperationException {
    URL classes = Limits.class.getProtectionDomain().getCodeSource().getLocation();
    ClassLoader platform = ClassLoader.getPlatformClassLoader();
    try (URLClassLoader loader = new URLClassLoader(new URL[] {classes}, platform)) {
      Class.forName("dev.gannet.http2." + first, true, loader);
      Class<?> limits = Class.forName("dev.gannet.http2.Limits", true, loader);
      Object defaults = limits.getField("DEFAULT").get(null);
      for (RecordComponent component : limits.getRecordComponents()) {
        assertThat(component.getAccessor().invoke(defaults)).as(component.getName()).isNotNull();
      }
    }
  }
}
