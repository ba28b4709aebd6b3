package dev.gannet.client.balancer;

import dev.gannet.api.Status;
import dev.gannet.client.resolver.Resolution;
import java.util.List;

/**
 * A policy that keeps a connection to each endpoint, and a {@link Chooser} that distributes the
 * calls over those that are ready (gRFC A61). It is READY while one of them is, and fails calls
 * when all have failed; a failed endpoint counts as failed until it is ready. Lost connections are
 * made again at once, even without calls.
 *
 * @param <T> the data that the chooser keeps for each endpoint
 */
final class ReadyEndpoints<T extends CallTracker> implements LoadBalancer, EndpointChild.Owner<T> {
  /** How calls are distributed over endpoints. */
  interface Chooser<T extends CallTracker> {
    /** The data for a new endpoint. */
    T newTracker();

    /** Creates a picker for these endpoints, of which there is at least one. */
    Picker among(List<EndpointChild<T>> ready);

    /** The endpoint has become ready, and was not before. */
    default void onReady(EndpointChild<T> child) {}

    /** The policy is no longer used. */
    default void shutdown() {}
  }

  private final Context context;
  private final Chooser<T> chooser;
  private final EndpointChildren<T> children;
  private List<EndpointChild<T>> ready = List.of();

  /** The pickers of the ready endpoints, as last published. */
  private List<Picker> pickers = List.of();

  /** The picker of the endpoint that failed last, which contains the reason. */
  private Picker lastFailing = Picker.waiting();

  private boolean updating;

  ReadyEndpoints(Context context, Chooser<T> chooser) {
    this.context = context;
    this.chooser = chooser;
    this.children = EndpointChildren.of(this, chooser::newTracker);
  }

  @Override
  public Context context() {
    return context;
  }

  @Override
  public void onResolved(Resolution.Resolved resolved) {
    updating = true;
    List<EndpointChild<T>> gone;
    try {
      gone = children.replace(resolved.endpoints());
      children.in(ConnectivityState.IDLE).forEach(EndpointChild::connect);
    } finally {
      updating = false;
    }
    publish();
    gone.forEach(EndpointChild::shutdown);
  }

  @Override
  public void onResolutionFailed(Status why) {
    if (children.isEmpty()) {
      String what = "cannot connect to " + context.target() + ": ";
      context.updateState(
          ConnectivityState.TRANSIENT_FAILURE,
          Picker.failing(why.withDescription(what + why.description().orElse(""))));
    }
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
    if (!updating) {
      publish();
    }
  }

  private void publish() {
    List<EndpointChild<T>> before = ready;
    ready = children.in(ConnectivityState.READY);
    ready.stream().filter(it -> !before.contains(it)).forEach(chooser::onReady);
    if (!ready.isEmpty()) {
      publishReady();
      return;
    }
    pickers = List.of();
    if (children.all().stream().allMatch(ReadyEndpoints::hasFailed)) {
      context.updateState(ConnectivityState.TRANSIENT_FAILURE, lastFailing);
    } else {
      context.updateState(ConnectivityState.CONNECTING, Picker.waiting());
    }
  }

  private static boolean hasFailed(EndpointChild<?> child) {
    return child.state() == ConnectivityState.TRANSIENT_FAILURE;
  }

  /** If the pickers are the same, the published picker stays, with its position. */
  private void publishReady() {
    List<Picker> now = ready.stream().map(EndpointChild::picker).toList();
    if (!now.equals(pickers)) {
      pickers = now;
      context.updateState(ConnectivityState.READY, chooser.among(ready));
    }
  }

  @Override
  public void exitIdle() {
    children.in(ConnectivityState.IDLE).forEach(EndpointChild::connect);
  }

  @Override
  public void shutdown() {
    chooser.shutdown();
    children.shutdown();
  }
}
