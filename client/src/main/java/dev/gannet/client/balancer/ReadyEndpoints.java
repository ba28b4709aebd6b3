package dev.gannet.client.balancer;

import dev.gannet.api.Status;
import dev.gannet.client.resolver.Endpoint;
import dev.gannet.client.resolver.Resolution;
import java.util.List;

/**
 * A policy that keeps a connection to each endpoint, and an {@link EndpointChooser} that
 * distributes the calls over those that are ready (gRFC A61). It is READY while one of them is, and
 * fails calls when all have failed; a failed endpoint counts as failed until it is ready. Lost
 * connections are made again at once, even without calls.
 *
 * @param <T> the data that the chooser keeps for each endpoint
 */
final class ReadyEndpoints<T extends CallTracker>
    implements LoadBalancer, EndpointChildren.Owner<T> {
  /** An endpoint of the published picker. */
  private record Published(Endpoint endpoint, Picker picker) {}

  private final Context context;
  private final EndpointChooser<T> chooser;
  private final EndpointChildren<T> children;
  private List<EndpointChild<T>> ready = List.of();

  /** What the published picker was made of. */
  private List<Published> published = List.of();

  /** The picker of the endpoint that failed last, which contains the reason. */
  private Picker lastFailing = Picker.queueing();

  ReadyEndpoints(Context context, EndpointChooser<T> chooser) {
    this.context = context;
    this.chooser = chooser;
    this.children = new EndpointChildren<>(this, chooser::newTracker);
    chooser.start(() -> context.execute(this::chooseAgain));
  }

  private void chooseAgain() {
    if (!published.isEmpty()) {
      published = List.of();
      publishReady();
    }
  }

  @Override
  public Context context() {
    return context;
  }

  @Override
  public void onResolved(Resolution.Resolved resolved) {
    if (resolved.endpoints().isEmpty()) {
      onNoEndpoints(LeftEndpoints.NONE);
      return;
    }
    chooser.onResolved(resolved);
    children.update(resolved.endpoints(), this::exitIdle);
  }

  /** The published picker has the old settings: the resolution that follows makes another one. */
  @Override
  public boolean onConfig(LoadBalancerProvider config) {
    boolean taken = chooser.onConfig(config);
    if (taken) {
      published = List.of();
    }
    return taken;
  }

  @Override
  public void onResolutionFailed(Status why) {
    children.onResolutionFailed(why);
  }

  @Override
  public boolean onNoEndpoints(Status why) {
    ready = List.of();
    published = List.of();
    children.removeAll(why);
    return true;
  }

  @Override
  public void onChange(EndpointChild<T> child) {
    if (child.state() == ConnectivityState.IDLE && children.contains(child)) {
      child.connect(); // which reports a change
      return;
    }
    if (child.state() == ConnectivityState.TRANSIENT_FAILURE) {
      lastFailing = child.picker();
    }
    children.publish();
  }

  @Override
  public void publish() {
    List<EndpointChild<T>> before = ready;
    ready = children.in(ConnectivityState.READY);
    ready.stream().filter(it -> !before.contains(it)).forEach(chooser::onReady);
    if (!ready.isEmpty()) {
      publishReady();
      return;
    }
    published = List.of();
    if (children.all().stream().allMatch(ReadyEndpoints::hasFailed)) {
      context.updateState(ConnectivityState.TRANSIENT_FAILURE, lastFailing);
    } else {
      context.updateState(ConnectivityState.CONNECTING, Picker.queueing());
    }
  }

  private static boolean hasFailed(EndpointChild<?> child) {
    return child.state() == ConnectivityState.TRANSIENT_FAILURE;
  }

  /** If nothing has changed, the published picker stays, with its position. */
  private void publishReady() {
    List<Published> now =
        ready.stream().map(it -> new Published(it.endpoint(), it.picker())).toList();
    if (!now.equals(published)) {
      published = now;
      context.updateState(ConnectivityState.READY, chooser.among(List.copyOf(ready)));
    }
  }

  @Override
  public void exitIdle() {
    children.in(ConnectivityState.IDLE).forEach(EndpointChild::connect);
  }

  @Override
  public void shutdown() {
    published = List.of(); // a later update of the chooser has no effect
    try {
      chooser.shutdown();
    } finally { // it may be the one that has thrown before
      children.shutdown();
    }
  }
}
