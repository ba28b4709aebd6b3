package dev.gannet.examples.extending;

import dev.gannet.api.Metadata;
import dev.gannet.client.balancer.EndpointChooser;
import dev.gannet.client.balancer.LoadBalancer;
import dev.gannet.client.balancer.LoadBalancerProvider;
import dev.gannet.client.balancer.Picker;
import dev.gannet.client.balancer.PolicyConfig;
import dev.gannet.client.balancer.ReadyEndpoint;
import dev.gannet.client.resolver.Endpoint;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * A load-balancing policy that sends calls with the same value of a header to the same server, as
 * long as that server works. If servers are added or removed, few values move: each server has a
 * score for each value, and the highest score wins (rendezvous hashing).
 *
 * <p>Only the choice is written here; {@link LoadBalancer#overReadyEndpoints} makes the connections
 * and keeps them. As records, providers for the same header are equal, so a resolver that names the
 * policy again does not replace its connections.
 *
 * @param header the name of the header, in lower case
 */
public record StickyByHeader(String header) implements LoadBalancerProvider {
  /**
   * The policy for this header.
   *
   * @throws IllegalArgumentException if that is not the name of a header with text
   */
  public StickyByHeader {
    header = Metadata.Key.ascii(header).name(); // checks it now: a policy must not throw later
  }

  @Override
  public String policyName() {
    return "sticky_by_header";
  }

  @Override
  public LoadBalancer create(LoadBalancer.Context context) {
    return LoadBalancer.overReadyEndpoints(
        context, new Chooser(Metadata.Key.ascii(header), context));
  }

  /**
   * Reads {@code {"sticky_by_header": {"header": "user"}}} of a service config. With a wrong name
   * the config is invalid, and the channel keeps its last one.
   */
  @Override
  public LoadBalancerProvider configured(PolicyConfig config) {
    Optional<String> name = config.text("header");
    try {
      return name.isPresent() ? new StickyByHeader(name.get()) : this;
    } catch (IllegalArgumentException e) {
      throw config.fault("header", "is not the name of a header: " + e.getMessage());
    }
  }

  /**
   * Chooses among the servers with a connection.
   *
   * @param header whose value decides
   * @param context has the clock
   */
  private record Chooser(Metadata.Key<String> header, LoadBalancer.Context context)
      implements EndpointChooser<RecentFailures> {
    @Override
    public RecentFailures newTracker(Endpoint endpoint) {
      return new RecentFailures(context::nanoTime);
    }

    /** The picker runs on all threads at once: everything that it reads is immutable. */
    @Override
    public Picker among(List<ReadyEndpoint<RecentFailures>> ready) {
      List<Candidate> candidates = ready.stream().map(Candidate::of).toList();
      return args -> {
        String value = args.headers().get(header).orElse("");
        Comparator<Candidate> preference =
            Comparator.comparing((Candidate it) -> !it.failures().areMany())
                .thenComparingInt(it -> it.score(value));
        return candidates.stream().max(preference).orElseThrow().picker().pick(args);
      };
    }
  }

  /**
   * A server that can be chosen.
   *
   * @param name the same in all clients and after each resolution
   * @param picker of its connection
   * @param failures of its calls
   */
  private record Candidate(String name, Picker picker, RecentFailures failures) {
    static Candidate of(ReadyEndpoint<RecentFailures> endpoint) {
      String name = endpoint.endpoint().addresses().getFirst().toString();
      return new Candidate(name, endpoint.picker(), endpoint.tracker());
    }

    /** A hash whose bits all depend on all characters, by the last steps of MurmurHash3. */
    int score(String value) {
      int hash = (value + " " + name).hashCode();
      hash = (hash ^ hash >>> 16) * 0x85ebca6b;
      hash = (hash ^ hash >>> 13) * 0xc2b2ae35;
      return hash ^ hash >>> 16;
    }
  }
}
