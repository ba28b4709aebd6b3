package dev.gannet.client.config;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Preview;
import dev.gannet.api.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The decision of a {@link ConfigSelector} about one call. There will be no further case.
 * Immutable: an object may be used for any number of calls.
 */
@Preview(until = "0.3")
public sealed interface ConfigSelection {
  /** These settings apply to the call. */
  static Use use(MethodConfig config) {
    return new Use(Objects.requireNonNull(config, "config"), List.of());
  }

  /**
   * The call fails, even if it is wait-for-ready. Codes that only a server may use become {@code
   * INTERNAL} (gRFC A54).
   *
   * @throws IllegalArgumentException if the status is OK
   */
  static Fail fail(Status why) {
    if (Objects.requireNonNull(why, "why").isOk()) {
      throw new IllegalArgumentException("a selection that fails needs a status other than OK");
    }
    return new Fail(why);
  }

  /** Settings for the call, and values for the policy that picks a connection for it. */
  final class Use implements ConfigSelection {
    /** A value for pickers. */
    private record Option<T>(CallOptions.Key<T> key, T value) {
      CallOptions addTo(CallOptions options) {
        return options.withOption(key, value);
      }

      @Override
      public String toString() {
        return key + "=" + value;
      }
    }

    private final MethodConfig config;
    private final List<Option<?>> added;

    private Use(MethodConfig config, List<Option<?>> added) {
      this.config = config;
      this.added = added;
    }

    /**
     * Has pickers and call trackers see this value in the options of the call, so that a policy can
     * choose by it. It replaces a value that the caller has set.
     */
    public <T> Use withOption(CallOptions.Key<T> key, T value) {
      Objects.requireNonNull(key, "key");
      Objects.requireNonNull(value, "value");
      List<Option<?>> more = new ArrayList<>(added);
      more.add(new Option<>(key, value));
      return new Use(config, List.copyOf(more));
    }

    /** The settings that apply. */
    public MethodConfig config() {
      return config;
    }

    /** The options of a call as pickers see them: these, with the values that were added. */
    public CallOptions addTo(CallOptions options) {
      CallOptions all = options;
      for (Option<?> each : added) {
        all = each.addTo(all);
      }
      return all;
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Use that && config.equals(that.config) && added.equals(that.added);
    }

    @Override
    public int hashCode() {
      return 31 * config.hashCode() + added.hashCode();
    }

    @Override
    public String toString() {
      return added.isEmpty() ? "Use[" + config + "]" : "Use[" + config + ", " + added + "]";
    }
  }

  /** Fail the call. */
  final class Fail implements ConfigSelection {
    private final Status why;

    private Fail(Status why) {
      this.why = why;
    }

    /** The status with which the call ends; never OK. */
    public Status why() {
      return why;
    }

    @Override
    public String toString() {
      return "Fail[" + why + "]";
    }
  }
}
