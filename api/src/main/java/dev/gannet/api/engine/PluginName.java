package dev.gannet.api.engine;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The name that a part of an application has, such as a load-balancing policy. */
public final class PluginName {
  private PluginName() {}

  /**
   * Asks for a name, where a failure can be reported: the method may be anybody's.
   *
   * @param method what is asked, for the message
   * @param owner whose method that is
   * @throws IllegalArgumentException if the method returns null, or throws an exception
   */
  public static String of(String method, Object owner, Supplier<@Nullable String> name) {
    @Nullable String found;
    try {
      found = name.get();
    } catch (Throwable e) {
      throw new IllegalArgumentException(
          method + " of " + owner.getClass().getName() + " failed: " + ThrowableText.of(e), e);
    }
    if (found == null) {
      throw new IllegalArgumentException(
          method + " of " + owner.getClass().getName() + " returned null");
    }
    return found;
  }
}
