/* SPDX-License-Identifier: MIT
 * Making the friction of a world: which configuration is for which body, and what of it is
 * replaced.
 */
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "friction_internal.h"
#include "results/joint_columns.h"

const char *friction_source_name(friction_source source) {
    static const char *const names[] = {"stiction", "frictionloss", "none", NULL};
    return names[source];
}

typedef struct maker {
    reader *r;
    world *world;
    const friction_options *options;
    friction *friction;
} maker;

/* ---- errors ---- */

/* The first error is returned, the others are logged. */
static _Noreturn void refuse_all(maker *m, const stiction_errors *errors) {
    for (size_t k = 1; k < stiction_errors_count(errors) && m->options->log; k++) {
        char text[1700];
        (void)stiction_error_format(stiction_errors_at(errors, k), text, sizeof text);
        m->options->log(m->options->log_user, STICTION_LOG_ERROR, text);
    }
    const stiction_error *first = stiction_errors_at(errors, 0);
    if (!first) stiction_reader_no_memory(m->r);
    stiction_reader_refuse_as(m->r, first);
}

/* ---- configurations ---- */

static void finish_config(void *memory) {
    stiction_config_destroy(*(stiction_config **)memory);
}

static const char **joint_names(maker *m, size_t first, size_t count) {
    const char **names = stiction_reader_alloc(m->r, count * sizeof *names + 1);
    for (size_t k = 0; k < count; k++) names[k] = m->world->joints[first + k].name;
    return names;
}

/* Applies the overrides of the options, after those of the item and the options for all joints. */
static void override_values(maker *m, stiction_config *config, const project_friction *item,
                            stiction_errors *errors) {
    const friction_options *o = m->options;
    const size_t joints = m->world->joint_count;
    const stiction_override of_all[] = {{"law", o->law ? o->law : item->law},
                                        {"coupling", o->coupling ? o->coupling : item->coupling},
                                        {"element", o->element}};
    enum { of_all_count = sizeof of_all / sizeof of_all[0] };
    stiction_override *all =
        stiction_reader_alloc(m->r, (o->override_count + of_all_count) * sizeof *all);
    size_t count = 0;
    for (size_t k = 0; k < of_all_count; k++)
        if (of_all[k].value) all[count++] = of_all[k];
    for (size_t k = 0; k < o->override_count; k++) all[count++] = o->overrides[k];
    if (stiction_config_override(config, all, count, joint_names(m, 0, joints), joints, errors) !=
        STICTION_OK)
        refuse_all(m, errors);
}

static const stiction_config *load(maker *m, const project_friction *item) {
    const friction_options *o = m->options;
    stiction_config **config = stiction_reader_own(m->r, sizeof *config, finish_config);
    stiction_errors *errors = stiction_reader_errors(m->r);
    if (!o->configuration && item->configuration)
        stiction_reader_permit(m->r, item->configuration_at, item->configuration);
    const char *path = o->configuration ? o->configuration : item->configuration;
    const stiction_status status =
        path ? stiction_config_load(path, config, errors)
             : stiction_config_parse(item->text, strlen(item->text), item->at.path, config, errors);
    if (status != STICTION_OK) refuse_all(m, errors);
    override_values(m, *config, item, errors);
    return *config;
}

/* summary.json has room for one. */
static void check_seed(const maker *m, const project_friction *item,
                       const stiction_config *config) {
    uint64_t other;
    if (stiction_config_is_random(config) && friction_seed(m->friction, &other) &&
        other != stiction_config_seed(config))
        stiction_reader_refuse(
            m->r, item->at,
            "seed %llu of '%s' is not that of another configuration, %llu: what is "
            "drawn in a project must have one seed",
            (unsigned long long)stiction_config_seed(config), item->name,
            (unsigned long long)other);
}

/* ---- bodies ---- */

static void finish_part(void *memory) {
    const friction_part *part = memory;
    stiction_state_destroy(part->state);
    stiction_model_destroy(part->model);
}

static void add_part(maker *m, const project_friction *item, const stiction_config *config,
                     size_t index, uint64_t sample) {
    friction *f = m->friction;
    const world_body *body = &m->world->bodies[index];
    if (friction_part_of(f, index))
        stiction_reader_refuse(m->r, item->at, "'%s' has friction already: it is not applied twice",
                               body->source->name);
    friction_part *part = stiction_reader_own(m->r, sizeof *part, finish_part);
    const double timestep = m->world->model->opt.timestep;
    const char **names = joint_names(m, body->first_joint, body->joint_count);
    stiction_errors *errors = stiction_reader_errors(m->r);
    if (stiction_config_check(config, names, body->joint_count, timestep, errors) != STICTION_OK)
        refuse_all(m, errors);
    stiction_model_def def = stiction_model_def_default();
    stiction_error error;
    def.timestep = timestep;
    def.sample = sample;
    def.log = m->options->log;
    def.log_user = m->options->log_user;
    if (stiction_model_create(config, names, body->joint_count, &def, &part->model, &error) !=
            STICTION_OK ||
        stiction_state_create(part->model, &part->state, &error) != STICTION_OK)
        stiction_reader_refuse_as(m->r, &error);
    if (stiction_state_memory_size(part->state) > FRICTION_REMEMBERED * body->joint_count)
        stiction_reader_refuse(m->r, item->at,
                               "the state of a joint has more numbers than this build reserves");
    part->body = index;
    part->needs = stiction_state_needs(part->state);
    part->coupling = stiction_config_coupling(config);
    part->element = stiction_config_element(config);
    part->first = body->first_joint;
    part->count = body->joint_count;
    part->next = f->parts;
    f->parts = part;
    for (size_t k = 0; k < part->count; k++) {
        f->joints[part->first + k] = stiction_joint_def_default();
        (void)stiction_model_joint(part->model, k, &f->joints[part->first + k], NULL);
        (void)stiction_config_find_valid(config, names[k], &f->valid[part->first + k]);
        part->is_modified = part->is_modified || joint_friction_moves(&f->joints[part->first + k]);
        part->preslides =
            part->preslides || stiction_joint_def_list(&f->joints[part->first + k], 0, NULL) > 0;
    }
}

static void add_item(maker *m, const project_friction *item) {
    if (!item->enabled || !(item->configuration || item->text || m->options->configuration)) return;
    const stiction_config *config = load(m, item);
    check_seed(m, item, config);
    uint64_t meant = 0; /* bodies that it is for; each is a random sample of its own */
    for (size_t k = 0; k < m->world->body_count; k++) {
        const world_body *body = &m->world->bodies[k];
        if (!stiction_config_is_for(config, body->model_name,
                                    joint_names(m, body->first_joint, body->joint_count),
                                    body->joint_count))
            continue;
        add_part(m, item, config, k, meant++);
    }
    if (!meant)
        stiction_reader_refuse(m->r, item->at, "no body of the project is a model of '%s'",
                               m->options->configuration ? m->options->configuration
                                                         : item->configuration);
}

/* ---- no friction ---- */

/* Why no joint has friction; NULL: one has. */
static const char *find_absence(const maker *m) {
    const project_simulator *s = m->world->simulator;
    if (m->options->source == FRICTION_NONE) return "it was switched off (friction=none)";
    for (size_t k = 0; k < m->world->joint_count; k++)
        if (strcmp(m->friction->joints[k].law, "none") != 0) return NULL;
    if (m->friction->parts) return "the law of every joint is none";
    if (!s->friction_count)
        return stiction_reader_format(m->r, "the simulator '%s' has no StictionItem", s->name);
    const project_friction *item = &s->frictions[0];
    if (m->world->project->is_robot) return "no configuration was given";
    return stiction_reader_format(m->r, "the StictionItem '%s' %s", item->name,
                                  item->enabled ? "has no configuration file" : "is not enabled");
}

static void note_absence(maker *m) {
    const friction_options *o = m->options;
    const char *why = find_absence(m);
    if (!why) return;
    const bool wanted =
        o->configuration || o->law || o->coupling || o->element || o->override_count;
    if (wanted && o->source != FRICTION_NONE && !m->friction->parts)
        stiction_reader_refuse(m->r, m->world->simulator->at,
                               "there is no friction to replace values in: %s", why);
    m->friction->absence = stiction_reader_format(m->r, "no joint has friction: %s", why);
}

/* ---- what the integrator can do ---- */

/* RK4 integrates deflections: a law must have no other state, and needs a damper, from which the
 * deflection's rate follows. */
static void check_rk4(maker *m) {
    friction *f = m->friction;
    for (const friction_part *part = f->parts; part; part = part->next) {
        stiction_error error;
        double *zero = stiction_reader_alloc(m->r, part->count * sizeof *zero + 1);
        double *torque = stiction_reader_alloc(m->r, part->count * sizeof *torque + 1);
        double *rate = stiction_reader_alloc(m->r, part->count * sizeof *rate + 1);
        if (stiction_rate(part->state, 0, zero, zero, torque, rate, &error) != STICTION_OK)
            stiction_reader_refuse(m->r, (stiction_place){0}, "integrator rk4: %s", error.message);
    }
}

/* What MuJoCo's friction cannot represent in a joint's: effects of real drives, and powers of
 * velocity. */
static const char *find_left_out(const stiction_joint_def *def) {
    stiction_parameter_info info;
    const double *numbers;
    if (def->viscous > 0 && def->viscous_exponent > 0 && def->viscous_exponent != 1)
        return "viscous_exponent";
    bool is_of_drives = false; /* whose rows follow that of the inertia */
    for (size_t k = 0; stiction_parameter_at(k, &info); k++) {
        const double value = stiction_joint_def_value(def, k);
        if (is_of_drives && !stiction_parameter_is_neutral(k, value)) return info.key;
        is_of_drives = is_of_drives || strcmp(info.key, "inertia") == 0;
    }
    return stiction_joint_def_list(def, 0, &numbers) ? "presliding_torque" : NULL;
}

/* MuJoCo's own friction: the largest torque that holds, and viscosity as joint damping. */
static void use_frictionloss(maker *m) {
    for (size_t k = 0; k < m->world->joint_count; k++) {
        const stiction_joint_def *def = &m->friction->joints[k];
        const int dof = m->world->joints[k].velocity;
        const double holds = fmax(def->static_torque, def->coulomb_torque);
        if (!(holds > 0)) continue;
        const char *left_out = find_left_out(def);
        if (left_out)
            stiction_reader_warn(m->r, m->world->simulator->at,
                                 "joint '%.200s': MuJoCo's friction loss leaves out %s",
                                 m->world->joints[k].name, left_out);
        m->world->model->dof_frictionloss[dof] = holds;
        if (def->viscous > 0) m->world->model->dof_damping[dof] = def->viscous;
    }
}

static friction *make(maker *m) {
    const world *w = m->world;
    const size_t n = w->joint_count;
    friction *f = m->friction = stiction_reader_alloc(m->r, sizeof *f);
    f->world = w;
    f->source = m->options->source;
    f->joints = stiction_reader_alloc(m->r, (n + 1) * sizeof *f->joints);
    f->valid = stiction_reader_alloc(m->r, (n + 1) * sizeof *f->valid);
    for (size_t k = 0; k < n; k++) f->valid[k] = stiction_valid_none();
    double **arrays[] = {&f->velocity, &f->position, &f->rate, &f->stage_deflection,
                         &f->stage_torque};
    for (size_t k = 0; k < sizeof arrays / sizeof arrays[0]; k++)
        *arrays[k] = stiction_reader_alloc(m->r, (n + 1) * sizeof(double));
    const size_t bytes = joint_arrays_place(&f->last, NULL, n);
    (void)joint_arrays_place(&f->last, stiction_reader_alloc(m->r, bytes), n);
    f->pushed = stiction_reader_alloc(m->r, ((size_t)w->model->nv + 1) * sizeof *f->pushed);
    for (size_t k = 0; k < n; k++) {
        f->joints[k] = stiction_joint_def_default();
        f->joints[k].law = "none";
        f->last.slipping[k] = 1;
        f->last.external_torque[k] = (double)NAN;
#define SET_UNKNOWN(type, name, unit, description) f->last.name[k] = (double)NAN;
        STICTION_JOINT_LEVELS(SET_UNKNOWN)
#undef SET_UNKNOWN
    }
    for (size_t k = 0; f->source != FRICTION_NONE && k < w->simulator->friction_count; k++)
        add_item(m, &w->simulator->frictions[k]);
    /* a file that is given is for a simulator without an item, too */
    if (f->source != FRICTION_NONE && !w->simulator->friction_count && m->options->configuration)
        add_item(m, &(project_friction){
                        .name = "configuration", .at = w->simulator->at, .enabled = true});
    note_absence(m);
    if (f->source == FRICTION_FRICTIONLOSS)
        use_frictionloss(m);
    else if (w->model->opt.integrator == mjINT_RK4)
        check_rk4(m);
    return f;
}

static void *answer(reader *r, const void *context) {
    maker m = *(const maker *)context;
    m.r = r;
    return make(&m);
}

friction *friction_create(world *w, const friction_options *options, stiction_error *error) {
    reader r = {.log = options->log,
                .log_user = options->log_user,
                .error = error,
                .untrusted = w->untrusted};
    friction *made = stiction_reader_run(&r, answer, &(maker){.world = w, .options = options});
    if (made) made->memory = r.memory;
    return made;
}

void friction_destroy(friction *f) {
    if (!f) return;
    stiction_arena_free(&f->solver_memory);
    stiction_arena_free(&f->memory);
}

/* ---- coupling ---- */

typedef struct coupler {
    friction *friction;
    friction_judge *judge;
    const void *user;
    const friction_options *options;
} coupler;

static bool uses_rk4(const friction *f) {
    return f->world->model->opt.integrator == mjINT_RK4;
}

static stiction_status judge_part(const coupler *c, const friction_part *part,
                                  coupling_decision *decision, stiction_error *error) {
    if (c->judge) return c->judge(c->user, part->body, decision, error);
    const friction *f = c->friction;
    const coupling_robot whole = {.poses = {.joint_count = part->count},
                                  .friction = f->joints + part->first,
                                  .timestep = f->world->model->opt.timestep,
                                  .rk4 = uses_rk4(f)};
    return coupling_decide(STICTION_COUPLING_AUTO, &whole, NULL, NULL, decision, error);
}

static const char *name_obstacle(reader *r, const friction *f, const friction_part *part,
                                 const coupling_decision *decision) {
    if (decision->reason == COUPLING_RK4) return "the integrator is rk4";
    if (decision->reason != COUPLING_NO_POTENTIAL) return NULL;
    const size_t joint = part->first + decision->joint;
    return stiction_reader_format(r, "law %s of joint '%s' has no potential", f->joints[joint].law,
                                  f->world->joints[joint].name);
}

static void choose(const coupler *c, reader *r, friction_part *part) {
    friction *f = c->friction;
    const char *name = f->world->bodies[part->body].source->name;
    if (part->coupling == STICTION_COUPLING_IMPLICIT && uses_rk4(f))
        stiction_reader_refuse(r, (stiction_place){0},
                               "'%s': implicit coupling needs the integrator euler; the stages of "
                               "rk4 do not know the velocity after the step",
                               name);
    if (part->coupling != STICTION_COUPLING_AUTO) return;
    part->is_auto = true;
    coupling_decision decision;
    stiction_error error;
    if (judge_part(c, part, &decision, &error) != STICTION_OK) stiction_reader_refuse_as(r, &error);
    part->coupling = decision.coupling;
    part->obstacle = name_obstacle(r, f, part, &decision);
    if (part->coupling == STICTION_COUPLING_EXPLICIT || !c->options->log) return;
    const bool judged = decision.reason != COUPLING_UNJUDGED;
    const char *why =
        judged ? "safe by a factor of two at this time step"
               : stiction_reader_format(r, "judged of more than %d joints", STABILITY_MOST_JOINTS);
    c->options->log(
        c->options->log_user, judged ? STICTION_LOG_INFO : STICTION_LOG_WARNING,
        stiction_reader_format(r, "'%s': friction is implicit, since explicit coupling is not %s",
                               name, why));
}

static void *answer_coupling(reader *r, const void *context) {
    const coupler *c = context;
    friction *f = c->friction;
    bool implicit = false, rigid = false, bristle = false, preslides = false;
    for (friction_part *p = f->parts; p; p = p->next) {
        choose(c, r, p);
        if (p->coupling != STICTION_COUPLING_IMPLICIT) continue;
        implicit = true;
        rigid = rigid || p->element == STICTION_ELEMENT_RIGID;
        bristle = bristle || p->element == STICTION_ELEMENT_BRISTLE;
        preslides = preslides || p->preslides;
    }
    if (rigid && bristle)
        stiction_reader_refuse(r, (stiction_place){0},
                               "implicit friction of all bodies is one problem: all must have the "
                               "same element, bristle or rigid");
    /* with MuJoCo the solver sees every force, so that joints may be rigid; presliding joints are
     * not */
    f->rigid = rigid || (!bristle && !preslides);
    if (implicit) f->solver = friction_solver_create(f, r);
    return f;
}

stiction_status friction_couple(friction *f, friction_judge *judge, const void *user,
                                const friction_options *options, stiction_error *error) {
    if (f->source != FRICTION_STICTION) return STICTION_OK;
    stiction_error own;
    reader r = {.log = options->log, .log_user = options->log_user, .error = error ? error : &own};
    const coupler c = {f, judge, user, options};
    if (!stiction_reader_run(&r, answer_coupling, &c))
        return r.error->status == STICTION_OK ? STICTION_INVALID_CONFIG : r.error->status;
    f->solver_memory = r.memory;
    return STICTION_OK;
}

stiction_status friction_make_implicit(friction *f, size_t body, const friction_options *options,
                                       stiction_error *error) {
    friction_part *part = friction_part_of(f, body);
    if (!part) return stiction_fail(error, STICTION_INVALID_ARGUMENT, "the body has no friction");
    arena before = f->solver_memory;
    const bool rigid = f->rigid;
    part->coupling = STICTION_COUPLING_IMPLICIT;
    const stiction_status status = friction_couple(f, NULL, NULL, options, error);
    if (status == STICTION_OK) {
        stiction_arena_free(&before);
    } else {
        part->coupling = STICTION_COUPLING_EXPLICIT;
        f->rigid = rigid;
    }
    return status;
}
