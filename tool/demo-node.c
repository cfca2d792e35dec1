/* SPDX-License-Identifier: MIT */
#include "tool/demo-node.h"

#include <arpa/inet.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cluster/etcd.h"
#include "tool/demo-command.h"

enum {
	PORTS = 2 * NODES, /* one for clients, one for the others */
	MILLISECOND = 1000000,
	PAUSE = 50,	   /* milliseconds */
	ANSWER_WITHIN = 1, /* seconds */
	ID_MAX = 24,
};

/* The lock is for what the thread writes and others read. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct node all[NODES];
static bool is_watched, is_over;
static pthread_t watcher;

/* --- starting ----------------------------------------------------------------------- */

static int take_port(int *fd, uint16_t *port)
{
	struct sockaddr_in address = { .sin_family = AF_INET };
	socklen_t size = sizeof(address);

	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	*fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (*fd < 0 ||
	    bind(*fd, (struct sockaddr *)&address, sizeof(address)) ||
	    getsockname(*fd, (struct sockaddr *)&address, &size))
		return -errno;
	*port = ntohs(address.sin_port);
	return 0;
}

/* All are taken before the first is given back: so no two are the same. */
static int find_ports(uint16_t ports[PORTS])
{
	int fds[PORTS], error = 0;

	for (int i = 0; i < PORTS; i++)
		fds[i] = -1;
	for (int i = 0; !error && i < PORTS; i++)
		error = take_port(&fds[i], &ports[i]);
	for (int i = 0; i < PORTS; i++) {
		if (fds[i] >= 0)
			close(fds[i]);
	}
	return error;
}

static int start_node(struct node *n, const char *etcd, const char *data,
		      const char *peer, const char *cluster)
{
	char client[64];
	/* a leader is missed sooner than by default */
	const char *argv[] = { etcd,	"--name",
			       n->name, "--data-dir",
			       data,	"--initial-cluster",
			       cluster, "--logger",
			       "zap",	"--log-level",
			       "error", "--heartbeat-interval",
			       "50",	"--election-timeout",
			       "500",	"--listen-client-urls",
			       client,	"--advertise-client-urls",
			       client,	"--listen-peer-urls",
			       peer,	"--initial-advertise-peer-urls",
			       peer,	NULL };

	snprintf(client, sizeof(client), "http://%s", n->endpoint);
	return process_start(&n->pid, argv, n->log);
}

int nodes_start(const char *etcd, const char *directory)
{
	char peers[NODES][64], cluster[NODES * 96] = "", data[PATH_MAX];
	uint16_t ports[PORTS];
	int error = find_ports(ports);

	for (int i = 0; !error && i < NODES; i++) {
		struct node *n = &all[i];
		size_t length = strlen(cluster);

		n->leader = -1;
		snprintf(n->name, sizeof(n->name), "node%d", i + 1);
		snprintf(n->log, sizeof(n->log), "%s/node%d.log", directory,
			 i + 1);
		snprintf(n->endpoint, sizeof(n->endpoint), "127.0.0.1:%u",
			 ports[i]);
		snprintf(peers[i], sizeof(peers[i]), "http://127.0.0.1:%u",
			 ports[NODES + i]);
		snprintf(cluster + length, sizeof(cluster) - length,
			 "%snode%d=%s", i ? "," : "", i + 1, peers[i]);
	}
	for (int i = 0; !error && i < NODES; i++) {
		snprintf(data, sizeof(data), "%s/node%d", directory, i + 1);
		error = start_node(&all[i], etcd, data, peers[i], cluster);
	}
	return error;
}

void nodes_list(char *text, size_t size)
{
	snprintf(text, size, "%s,%s,%s", all[0].endpoint, all[1].endpoint,
		 all[2].endpoint);
}

/* --- asking --------------------------------------------------------------------------- */

/* Numbers of 64 bits are text in JSON. */
static void copy_id(char id[ID_MAX], const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));

	snprintf(id, ID_MAX, "%s", text ? text : "");
}

struct asked {
	struct store *store;
	char id[ID_MAX], leader[ID_MAX];
	bool answers;
};

static void ask(struct asked *a)
{
	struct etcd_question question = { .path = "/v3/maintenance/status" };
	struct timespec deadline;
	json_t *answer = NULL;

	clock_gettime(CLOCK_BOOTTIME, &deadline);
	deadline.tv_sec += ANSWER_WITHIN;
	if (a->store) {
		question.message = json_object();
		a->answers = !etcd_call(a->store, &question, &deadline,
					&answer);
	}
	if (!a->answers)
		return;
	copy_id(a->id, json_object_get(answer, "header"), "member_id");
	copy_id(a->leader, answer, "leader");
	json_decref(answer);
}

static int find_leader(const struct asked asked[NODES], const char *id)
{
	for (int i = 0; i < NODES; i++) {
		if (*id && !strcmp(asked[i].id, id))
			return i;
	}
	return -1;
}

static void write_down(const struct asked asked[NODES])
{
	pthread_mutex_lock(&lock);
	for (int i = 0; i < NODES; i++) {
		all[i].answers = asked[i].answers;
		all[i].leader = asked[i].answers ?
					find_leader(asked, asked[i].leader) :
					-1;
	}
	pthread_mutex_unlock(&lock);
}

static bool goes_on(void)
{
	bool answer;

	pthread_mutex_lock(&lock);
	answer = !is_over;
	pthread_mutex_unlock(&lock);
	return answer;
}

/* Each by a handle of its own: one for all would ask whoever answers. */
static void *watch(void *arg)
{
	const struct timespec pause = { .tv_nsec = PAUSE * MILLISECOND };
	struct asked asked[NODES] = { 0 };

	for (int i = 0; i < NODES; i++) {
		struct store_options where = { .endpoints = all[i].endpoint };

		if (store_open(&asked[i].store, &where))
			asked[i].store = NULL;
	}
	while (goes_on()) {
		for (int i = 0; i < NODES; i++)
			ask(&asked[i]);
		write_down(asked);
		nanosleep(&pause, NULL);
	}
	for (int i = 0; i < NODES; i++) {
		if (asked[i].store)
			store_close(asked[i].store);
	}
	return arg;
}

void nodes_load_libraries(void)
{
	struct store *store;

	if (!store_open(&store, NULL))
		store_close(store);
}

int nodes_watch(void)
{
	int error = pthread_create(&watcher, NULL, watch, NULL);

	is_watched = !error;
	return -error;
}

void nodes_look(struct node nodes[NODES])
{
	pthread_mutex_lock(&lock);
	memcpy(nodes, all, sizeof(all));
	pthread_mutex_unlock(&lock);
}

int nodes_leader(void)
{
	struct node nodes[NODES];
	int leader = -1;

	nodes_look(nodes);
	for (int i = 0; i < NODES; i++) {
		if (nodes[i].killed)
			continue;
		if (!nodes[i].answers || nodes[i].leader < 0 ||
		    nodes[nodes[i].leader].killed ||
		    (leader >= 0 && nodes[i].leader != leader))
			return -1;
		leader = nodes[i].leader;
	}
	return leader;
}

/* --- ending ----------------------------------------------------------------------------- */

static void mark_killed(struct node *n)
{
	pthread_mutex_lock(&lock);
	n->killed = true;
	pthread_mutex_unlock(&lock);
}

pid_t node_kill(int number)
{
	struct node *n = &all[number];

	if (!n->pid || n->killed)
		return 0;
	kill(n->pid, SIGKILL);
	mark_killed(n);
	waitpid(n->pid, NULL, 0);
	return n->pid;
}

int nodes_find_ended(void)
{
	for (int i = 0; i < NODES; i++) {
		if (!all[i].pid || all[i].killed ||
		    waitpid(all[i].pid, NULL, WNOHANG) <= 0)
			continue;
		mark_killed(&all[i]);
		return i;
	}
	return -1;
}

void nodes_end(void)
{
	pthread_mutex_lock(&lock);
	is_over = true;
	pthread_mutex_unlock(&lock);
	for (int i = 0; i < NODES; i++)
		node_kill(i);
	if (is_watched)
		pthread_join(watcher, NULL);
	is_watched = false;
}
