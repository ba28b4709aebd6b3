// A client of grpc-go for ./gannet restarts: unary calls with an id each, and streams that last until their server says
// that it leaves. Runs until its standard input ends. RestartsClient says what it prints.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	testgrpc "google.golang.org/grpc/interop/grpc_testing"
	"google.golang.org/grpc/resolver"
	"google.golang.org/grpc/resolver/manual"
)

const (
	unaryCallers = 4
	streams      = 2
	pause        = 10 * time.Millisecond
)

type client struct {
	name     string
	stub     testgrpc.TestServiceClient
	ids      atomic.Int64
	calls    atomic.Int64
	streamed atomic.Int64
	over     atomic.Bool
	printing sync.Mutex
}

func (c *client) say(format string, args ...any) {
	c.printing.Lock()
	defer c.printing.Unlock()
	fmt.Println(strings.ReplaceAll(fmt.Sprintf(format, args...), "\n", " "))
}

func payload(text string) *testgrpc.Payload {
	return &testgrpc.Payload{Body: []byte(text)}
}

func (c *client) callOnce() {
	id := fmt.Sprintf("%s:%d", c.name, c.ids.Add(1))
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	response, err := c.stub.UnaryCall(ctx, &testgrpc.SimpleRequest{Payload: payload(id)})
	if err != nil {
		c.say("failed %s %v", id, err)
	} else if string(response.GetPayload().GetBody()) != id {
		c.say("failed %s a wrong answer", id)
	} else {
		c.calls.Add(1)
	}
}

func (c *client) streamOnce() error {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	stream, err := c.stub.FullDuplexCall(ctx)
	if err != nil {
		return err
	}
	for told := false; !told && !c.over.Load(); time.Sleep(pause) {
		sent := stream.Send(&testgrpc.StreamingOutputCallRequest{Payload: payload("ping")})
		response, err := stream.Recv() // says why, where sending has failed
		if err != nil {
			return err
		}
		if sent != nil {
			return sent
		}
		told = string(response.GetPayload().GetBody()) == "leave"
	}
	if err := stream.CloseSend(); err != nil {
		return err
	}
	if _, err := stream.Recv(); err != io.EOF {
		return fmt.Errorf("ended with %v", err)
	}
	c.streamed.Add(1)
	return nil
}

func main() {
	var addresses []resolver.Address
	for _, target := range strings.Split(os.Args[1], ",") {
		addresses = append(addresses, resolver.Address{Addr: target})
	}
	list := manual.NewBuilderWithScheme("list")
	list.InitialState(resolver.State{Addresses: addresses})
	channel, err := grpc.NewClient("list:///restarts",
		grpc.WithResolvers(list),
		grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithDefaultServiceConfig(`{"loadBalancingConfig":[{"round_robin":{}}]}`))
	if err != nil {
		fmt.Println("broken", err)
		os.Exit(1)
	}
	c := &client{name: os.Args[2], stub: testgrpc.NewTestServiceClient(channel)}
	var running sync.WaitGroup
	repeat := func(step func()) {
		running.Add(1)
		go func() {
			defer running.Done()
			for ; !c.over.Load(); time.Sleep(pause) {
				step()
			}
		}()
	}
	for i := 0; i < unaryCallers; i++ {
		repeat(c.callOnce)
	}
	for i := 0; i < streams; i++ {
		repeat(func() {
			if err := c.streamOnce(); err != nil {
				c.say("broken %v", err)
			}
		})
	}
	io.Copy(io.Discard, os.Stdin)
	c.over.Store(true)
	running.Wait()
	c.say("done %d %d", c.calls.Load(), c.streamed.Load())
}
